import type { Middleware } from 'koa'
import { endsWithin } from '../../core/deadline'
import { AppError } from '../../core/errors'

/** How long a request waits for the engine of its cluster, in ms. */
const PATIENCE_MS = 4000
const RETRY_S = 2

/**
 * Answers only while this host is the writer of its cluster: what it knows is then all that was acknowledged before the
 * request, so that a sign-out or a file made private counts for the next request, whichever host was the writer before.
 * Otherwise nothing is served, public or not.
 */
export function whileWriter(office: { fresh: () => Promise<void> }): Middleware {
  return async (_ctx, next): Promise<void> => {
    const isWriter = await endsWithin(PATIENCE_MS, office.fresh()).catch(() => false)
    if (!isWriter) throw away()
    await next()
  }
}

const away = () =>
  new AppError('busy', 'The database of this host does not answer, so nothing was changed. Try again soon', undefined, {
    'Retry-After': String(RETRY_S),
  })
