import type { QueryClient } from '@tanstack/react-query'
import { refresh } from '../../../lib/client/query-client'
import { fileLists, queryKeys } from '../../../lib/client/query-keys'
import { reportUnauthorized } from '../../../lib/client/unauthorized'
import { notifySuccess } from '../../../ui/feedback/notify'
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
    if (finished.length > 0) notifySuccess(outcome(finished))
    finished = []
  })
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
