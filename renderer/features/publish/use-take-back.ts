import { useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../lib/client/client-context'
import { formatFiles } from '../../lib/texts/format'
import { refresh } from '../../lib/client/query-client'
import { fileLists, queryKeys } from '../../lib/client/query-keys'
import { notifySuccess } from '../../ui/feedback/notify'
import { notifyUndo } from '../../ui/feedback/notify-undo'
import { closeRequest, leaveOut } from '../uploads/drop/drop-place'
import type { UploadQueue } from '../uploads/queue/upload-queue'
import { useUploads } from '../uploads/queue/use-uploads'
import { isTransferring, isUnfinished } from '../uploads/upload'
import type { SheetFile } from './use-sheet-files'

/** Takes files back that nobody published: to the trash, or to the unfinished uploads, so that nothing is lost. */
export function useTakeBack() {
  const { queue } = useUploads()
  const client = useClient()
  const cache = useQueryClient()
  const takeBack = async (files: readonly SheetFile[]) => {
    // As they are now: one may have ended since the sheet was shown.
    const ids = new Set(files.map(({ upload }) => upload?.id))
    await Promise.all([...ids].map((id) => waitForAnswer(queue, id)))
    const uploads = queue.list().filter(({ id }) => ids.has(id))
    const stored = uploads.flatMap((upload) => upload.stored?.file_id ?? [])
    const isKept = uploads.some((upload) => upload.keptAt !== undefined && isUnfinished(upload))
    for (const { id } of uploads) queue.remove(id, true)
    if (stored.length > 0) {
      await client.files.removeMany({ file_ids: stored })
      notifyUndo(
        `Not published. ${formatFiles(stored.length)} ${stored.length === 1 ? 'is' : 'are'} in the trash`,
        () => void restore(stored),
      )
    } else if (isKept) notifySuccess('Not published. You can resume the upload in My Files.')
    await refresh(cache, queryKeys.uploads, ...fileLists)
  }
  const restore = async (ids: readonly string[]) => {
    await client.trash.restoreMany({ trash_ids: [...ids] })
    await refresh(cache, ...fileLists)
  }
  const report = (cause: unknown) => console.warn('The files could not be taken back', cause)
  return {
    cancel: (files: readonly SheetFile[]) => {
      closeRequest()
      takeBack(files).catch(report)
    },
    leaveOut: (file: SheetFile) => {
      leaveOut(file.file)
      takeBack([file]).catch(report)
    },
  }
}

/** Waits while the host may have a whole small file that this page does not know of yet. */
const waitForAnswer = (queue: UploadQueue, id: number | undefined): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      const upload = queue.list().find((it) => it.id === id)
      if (upload && isTransferring(upload) && upload.state !== 'interrupted' && upload.keptAt === undefined) return
      stop()
      resolve()
    }
    const stop = queue.subscribe(look)
    look()
  })
