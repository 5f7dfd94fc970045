import { useQueryClient } from '@tanstack/react-query'
import { refresh } from '../../lib/client/query-client'
import { fileLists, queryKeys } from '../../lib/client/query-keys'
import { useTrashFiles } from '../../lib/hooks/use-trash-files'
import { formatFiles } from '../../lib/texts/format'
import { notifySuccess } from '../../ui/feedback/notify'
import { closeRequest, leaveOut } from '../uploads/drop/drop-place'
import type { UploadQueue } from '../uploads/queue/upload-queue'
import { useUploads } from '../uploads/queue/use-uploads'
import { isTransferring, isUnfinished } from '../uploads/upload'
import type { SheetFile } from './use-sheet-files'

/**
 * Withdraws unpublished files: to the trash, or to the unfinished uploads, so that nothing is lost.
 */
export function useTakeBack() {
  const { queue } = useUploads()
  const cache = useQueryClient()
  const trash = useTrashFiles({
    intro: 'Not published. ',
    done: (count) => `${formatFiles(count)} ${count === 1 ? 'is' : 'are'} in the trash`,
  }).mutate

  const takeBack = async (files: readonly SheetFile[]) => {
    // Reads the present state: an upload may have ended since.
    const ids = new Set(files.map(({ upload }) => upload?.id))
    await Promise.all([...ids].map((id) => waitForAnswer(queue, id)))
    const uploads = queue.list().filter(({ id }) => ids.has(id))
    const stored = uploads.flatMap(({ stored: it, file }) =>
      it ? { file_id: it.file_id, filename: file.name } : [],
    )
    const isKept = uploads.some((upload) => upload.keptAt !== undefined && isUnfinished(upload))
    for (const { id } of uploads) queue.remove(id, true)

    if (stored.length > 0) trash(stored)
    else if (isKept) notifySuccess('Not published. You can resume the upload in My Files.')
    await refresh(cache, queryKeys.uploads, ...fileLists)
  }

  return {
    cancel: (files: readonly SheetFile[]) => {
      closeRequest()
      void takeBack(files)
    },
    leaveOut: (file: SheetFile) => {
      leaveOut(file.file)
      void takeBack([file])
    },
  }
}

/** Waits for the reply to a small file that the host may already have in full. */
const waitForAnswer = (queue: UploadQueue, id: number | undefined): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      const upload = queue.list().find((it) => it.id === id)
      if (
        upload &&
        isTransferring(upload) &&
        upload.state !== 'interrupted' &&
        upload.keptAt === undefined
      )
        return
      stop()
      resolve()
    }

    const stop = queue.subscribe(look)
    look()
  })
