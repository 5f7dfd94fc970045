import type { QueryClient } from '@tanstack/react-query'
import { messages } from '../../../lib/texts/messages'
import { queryKeys } from '../../../lib/client/query-keys'
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
    if (upload.state === 'unlinked' || upload.state === 'failed' || hasWarnings(upload)) void refresh(cache)
    if (queue.list().some(isUnfinished)) return
    if (finished.length > 0) notifySuccess(outcome(finished))
    finished = []
  })
}

/** Keeps the row until the reloaded list shows the file, so that nothing jumps. */
async function retireRow(queue: UploadQueue, cache: QueryClient, { id }: Upload): Promise<void> {
  await refresh(cache)
  queue.retire(id)
}

async function refresh(cache: QueryClient): Promise<void> {
  const { files, uploads, storage, builds, projects } = queryKeys
  const lists = [files.all, uploads, storage, builds.all, projects.all]
  await Promise.allSettled(lists.map((queryKey) => cache.invalidateQueries({ queryKey })))
}

function outcome(uploads: readonly Upload[]): string {
  const count = uploads.length
  if (uploads.every(({ options }) => options.project)) {
    return count === 1 ? messages.file.uploadedToProject : messages.file.uploadedManyToProject(count)
  }
  return count === 1 ? messages.file.uploaded : messages.file.uploadedMany(count)
}
