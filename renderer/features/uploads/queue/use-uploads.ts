import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Client } from '../../../lib/client/api-client'
import { useClient } from '../../../lib/client/client-context'
import { showProgress } from '../../../lib/browser/desktop'
import { resumableUploadsOf } from '../../../lib/host/host'
import { refresh } from '../../../lib/client/query-client'
import { fileLists, queryKeys } from '../../../lib/client/query-keys'
import { sendToHost } from '../transport/send-to-host'
import { idIn } from '../transport/unfinished'
import { askBeforeClosing, followConnection, followSession } from './leaving-page'
import { RESET_MS, UploadQueue } from './upload-queue'
import { taskProgress } from './upload-totals'
import { reportUnauthorized } from '../../../lib/client/unauthorized'
import { notifyNext, notifySuccess } from '../../../ui/feedback/notify'
import { openShareLinks } from '../../share-links/share-place'
import { hasWarnings, isUnfinished, type Upload } from '../upload'

const TICK_MS = 1000
const queues = new WeakMap<QueryClient, UploadQueue>()

export function useUploads() {
  const queue = getOrCreateQueue(useClient(), useQueryClient())
  const uploads = useSyncExternalStore(queue.subscribe, queue.list)
  return { uploads, queue }
}

/** The only queue of this page load. It outlives navigation within the app. */
function getOrCreateQueue(client: Client, cache: QueryClient): UploadQueue {
  const existing = queues.get(cache)
  if (existing) return existing

  const queue = new UploadQueue({
    send: sendToHost(client, () => resumableUploadsOf(cache)),
    link: async (id, file_id, release) =>
      (await client.projects.link({ id, file_id, ...release })).warnings,
    setVisibility: (id, is_public) => client.files.setVisibility({ id, is_public }),
    discard: (address) => void discard(address, client, cache),
    now: () => performance.now(),
  })

  queues.set(cache, queue)
  askBeforeClosing(queue)
  reportOutcomes(queue, cache)
  followSession(queue, cache)
  followConnection(queue)
  queue.subscribe(() => showProgress(taskProgress(queue.list())))
  setInterval(queue.tick, TICK_MS)

  return queue
}

/** Failures are ignored: the host lists the upload as unfinished, and sweeps it after some days. */
async function discard(address: string, client: Client, cache: QueryClient): Promise<void> {
  await client.uploads.discard({ id: idIn(address) }).catch((cause: unknown) => console.warn(cause))
  await refresh(cache, queryKeys.uploads, queryKeys.storage)
}

function reportOutcomes(queue: UploadQueue, cache: QueryClient): void {
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
