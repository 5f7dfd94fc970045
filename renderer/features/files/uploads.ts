import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../../lib/api-client'
import { askBeforeLeaving } from '../../lib/leaving'
import { messages } from '../../lib/messages'
import { queryKeys } from '../../lib/query-keys'
import { reportUnauthorized } from '../../lib/unauthorized'
import { notifySuccess } from '../../ui/notify'
import { isUnfinished, RESET_MS, UploadQueue, type Upload } from './upload-queue'
import { sendFile } from './upload-request'

const queues = new WeakMap<QueryClient, UploadQueue>()

/** The one queue of this page load. It belongs to no page, so that walking through the app does not end an upload. */
export function uploadsOf(client: Client, cache: QueryClient): UploadQueue {
  const known = queues.get(cache)
  if (known) return known
  const queue = new UploadQueue({
    send: sendFile,
    link: (projectId, fileId, release) => client.projects.link({ id: projectId, file_id: fileId, ...release }),
    now: () => performance.now(),
  })
  queues.set(cache, queue)
  askBeforeClosing(queue)
  reportOutcomes(queue, cache)
  return queue
}

/** Closing the page, reloading it and signing out would lose what is still under way, so the person is asked first. */
function askBeforeClosing(queue: UploadQueue): void {
  askBeforeLeaving(() => {
    const running = queue.list().filter(isUnfinished).length
    return running === 0 ? undefined : messages.file.leaving(running)
  })
  window.addEventListener('beforeunload', (event) => {
    if (queue.list().some(isUnfinished)) event.preventDefault()
  })
}

/** Says what was uploaded once the queue is empty, and replaces finished rows by the reloaded lists. */
function reportOutcomes(queue: UploadQueue, cache: QueryClient): void {
  let finished: Upload[] = []
  queue.onSettled((upload) => {
    if (upload.error?.status === 401) reportUnauthorized()
    if (upload.state === 'done') {
      finished.push(upload)
      setTimeout(() => void giveWay(queue, cache, upload), RESET_MS)
    }
    if (upload.state === 'unlinked') void refresh(cache)
    if (queue.list().some(isUnfinished)) return
    if (finished.length > 0) notifySuccess(outcome(finished))
    finished = []
  })
}

/** The row stays until the list that shows the file has come, so that nothing jumps. */
async function giveWay(queue: UploadQueue, cache: QueryClient, { id }: Upload): Promise<void> {
  await refresh(cache)
  queue.remove(id)
}

async function refresh(cache: QueryClient): Promise<void> {
  const lists = [queryKeys.files.all, queryKeys.storage, queryKeys.builds.all, queryKeys.projects.all]
  await Promise.allSettled(lists.map((queryKey) => cache.invalidateQueries({ queryKey })))
}

function outcome(uploads: readonly Upload[]): string {
  const count = uploads.length
  if (uploads.every(({ options }) => options.project)) {
    return count === 1 ? messages.file.uploadedToProject : messages.file.uploadedManyToProject(count)
  }
  return count === 1 ? messages.file.uploaded : messages.file.uploadedMany(count)
}
