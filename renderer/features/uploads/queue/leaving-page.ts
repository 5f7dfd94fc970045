import { checkConnection, onReconnect } from '../../../lib/client/connection'
import type { QueryClient } from '@tanstack/react-query'
import { queryKeys } from '../../../lib/client/query-keys'
import { askBeforeLeaving } from '../../../lib/session/leaving'
import { watchSession } from '../../../lib/session/session'
import { closeRequest } from '../drop/drop-place'
import { wouldBeLost } from '../upload'
import type { UploadQueue } from './upload-queue'

/** A person who leaves would lose running uploads, so the browser asks first. */
export function askBeforeClosing(queue: UploadQueue): void {
  askBeforeLeaving(() => {
    const running = queue.list().filter(wouldBeLost)
    if (running.length === 0) return undefined
    const [what, pronoun] =
      running.length === 1 ? ['An upload is', 'it'] : [`${running.length} uploads are`, 'them']
    const isKept = running.every(({ keptAt }) => keptAt)
    return (
      `${what} still running and would ` +
      `${isKept ? `stop. You can resume ${pronoun} later` : 'be lost'}.`
    )
  })

  window.addEventListener('beforeunload', (event) => {
    if (queue.list().some(wouldBeLost)) event.preventDefault()
  })
}

/**
 * Uploads belong to their user: they end at a sign-out or with another user, and resume when the
 * user is back after the session expired.
 */
export function followSession(queue: UploadQueue, cache: QueryClient): void {
  let owner = cache.getQueryData<{ user: { user_id: string } | null }>(queryKeys.session)?.user
    ?.user_id

  watchSession(cache, (userId, hasLeft) => {
    if (hasLeft || (userId !== undefined && owner !== undefined && userId !== owner)) {
      queue.clear()
      closeRequest()
    }
    owner = hasLeft ? undefined : (userId ?? owner)
    if (userId === undefined) return
    for (const { id, state, error } of queue.list())
      if (state === 'paused' && error?.status === 401) queue.resume(id)
  })
}

/** Interrupted uploads test the connection, and resume when the host answers. */
export function followConnection(queue: UploadQueue): void {
  const findInterrupted = () => queue.list().filter(({ state }) => state === 'interrupted')
  let before = 0
  queue.subscribe(() => {
    const now = findInterrupted().length
    if (now > before) void checkConnection()
    before = now
  })
  onReconnect(() => {
    for (const { id } of findInterrupted()) queue.resume(id)
  })
}
