import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../../../lib/client/api-client'
import { showProgress } from '../../../lib/browser/desktop'
import { resumableUploadsOf } from '../../../lib/host/host'
import { askBeforeLeaving } from '../../../lib/session/leaving'
import { messages } from '../../../lib/words/messages'
import { queryKeys } from '../../../lib/client/query-keys'
import { watchSession } from '../../../lib/session/session'
import { sendToHost } from '../transport/send-to-host'
import { idIn } from '../transport/unfinished'
import { wouldBeLost } from '../upload'
import { reportOutcomes } from './upload-outcomes'
import { UploadQueue } from './upload-queue'
import { taskProgress } from './upload-totals'

const TICK_MS = 1000
const queues = new WeakMap<QueryClient, UploadQueue>()

/** The only queue of this page load. It outlives navigation within the app. */
export function uploadsOf(client: Client, cache: QueryClient): UploadQueue {
  const known = queues.get(cache)
  if (known) return known
  const queue = new UploadQueue({
    send: sendToHost(client, () => resumableUploadsOf(cache)),
    link: async (id, file_id, release) => (await client.projects.link({ id, file_id, ...release })).warnings,
    discard: (address) => void discard(address, client, cache),
    now: () => performance.now(),
  })
  queues.set(cache, queue)
  askBeforeClosing(queue)
  reportOutcomes(queue, cache)
  followSession(queue, cache)
  queue.subscribe(() => showProgress(taskProgress(queue.list())))
  setInterval(queue.tick, TICK_MS)
  return queue
}

function askBeforeClosing(queue: UploadQueue): void {
  askBeforeLeaving(() => {
    const running = queue.list().filter(wouldBeLost)
    if (running.length === 0) return undefined
    const text = running.every(({ keptAt }) => keptAt) ? messages.file.leavingResumable : messages.file.leaving
    return text(running.length)
  })
  window.addEventListener('beforeunload', (event) => {
    if (queue.list().some(wouldBeLost)) event.preventDefault()
  })
}

/**
 * Uploads belong to their user: they end at a sign-out or with another user, and resume when the user is back after the
 * session expired.
 */
function followSession(queue: UploadQueue, cache: QueryClient): void {
  let owner = cache.getQueryData<{ user: { user_id: string } | null }>(queryKeys.session)?.user?.user_id
  watchSession(cache, (userId, left) => {
    if (left || (userId !== undefined && owner !== undefined && userId !== owner)) queue.clear()
    owner = left ? undefined : (userId ?? owner)
    if (userId === undefined) return
    for (const { id, state, error } of queue.list()) if (state === 'paused' && error?.status === 401) queue.resume(id)
  })
}

/** Failures are ignored: the host lists the upload as unfinished, and sweeps it after some days. */
async function discard(address: string, client: Client, cache: QueryClient): Promise<void> {
  await client.uploads.discard({ id: idIn(address) }).catch((cause: unknown) => console.warn(cause))
  const lists = [queryKeys.uploads, queryKeys.storage]
  await Promise.allSettled(lists.map((queryKey) => cache.invalidateQueries({ queryKey })))
}
