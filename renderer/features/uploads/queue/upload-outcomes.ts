import type { QueryClient } from '@tanstack/react-query'
import { refresh } from '../../../lib/client/query-client'
import { fileLists, queryKeys } from '../../../lib/client/query-keys'
import { reportUnauthorized } from '../../../lib/client/unauthorized'
import { notifyNext, notifySuccess } from '../../../ui/feedback/notify'
import { openShareLinks } from '../../share-links/share-place'
import { hasWarnings, isUnfinished, type Upload } from '../upload'
import { RESET_MS, type UploadQueue } from './upload-queue'

export function reportOutcomes(queue: UploadQueue, cache: QueryClient): void {
  let finished: Upload[] = []

  queue.onSettled((upload) => {
    if (upload.error?.status === 401) reportUnauthorized()
    if (upload.state === 'done') {
      finished.push(upload)
      if (!hasWarnings(upload)) setTimeout(() => void retireRow(queue, cache, upload), RESET_MS)
    }
    if (upload.state === 'unlinked' || upload.state === 'failed' || hasWarnings(upload))
      void refreshLists(cache)
    if (queue.list().some(isUnfinished)) return
    if (finished.length > 0) announce(finished)
    finished = []
  })
}

/** Says what was uploaded, and offers a link to a single private file that has no page. */
function announce(finished: readonly Upload[]): void {
  const text = outcome(finished)
  const [only] = finished.length === 1 ? finished : []
  const file_id =
    only?.options.project || only?.options.isPublic ? undefined : only?.stored?.file_id
  if (only === undefined || file_id === undefined) return notifySuccess(text)

  const file = { file_id, filename: only.file.name }
  notifyNext(text, 'Share link…', () => openShareLinks(file))
}

/** Keeps the row until the reloaded list shows the file, so that nothing jumps. */
async function retireRow(queue: UploadQueue, cache: QueryClient, { id }: Upload): Promise<void> {
  await refreshLists(cache)
  queue.retire(id)
}

const refreshLists = (cache: QueryClient) => refresh(cache, queryKeys.uploads, ...fileLists)

function outcome(uploads: readonly Upload[]): string {
  const count = uploads.length
  if (uploads.every(({ options }) => options.project)) {
    return count === 1
      ? 'File uploaded and added to project!'
      : `${count} files uploaded and added to project!`
  }
  return count === 1 ? 'File uploaded successfully!' : `${count} files uploaded successfully!`
}
