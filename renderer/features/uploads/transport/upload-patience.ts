import { ApiError } from '../../../lib/client/api-client'
import { delayBefore } from '../../../lib/client/connection'

/**
 * Retries after refusals: longer than the minute after which the host drops a dead connection.
 * Without an answer we retry forever.
 */
const REFUSALS = 11

interface Patience {
  signal: AbortSignal
  /** Failures to report immediately, although a retry might help. */
  isFinal?: (cause: ApiError) => boolean
  onInterrupted: (cause: ApiError) => void
}

/**
 * Retries until it works: at once when the network returns, else after doubling delays, which
 * restart when `attempt` calls `progressed`. Throws what no retry can fix.
 */
export async function withPatience<Result>(
  attempt: (progressed: () => void) => Promise<Result>,
  { signal, isFinal = () => false, onInterrupted }: Patience,
): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt(() => (tries = 0))
    } catch (cause) {
      if (
        signal.aborted ||
        !(cause instanceof ApiError) ||
        isFinal(cause) ||
        !mayPass(cause, tries)
      )
        throw cause
      onInterrupted(cause)
      await rest(delayBefore(tries), signal)
      signal.throwIfAborted()
    }
  }
}

/**
 * No answer, another request that still writes (409, 423), or a server error; a full disk stays
 * full.
 */
function mayPass({ code, status }: ApiError, tries: number): boolean {
  if (code === 'offline') return true
  if (code === 'disk_full' || code === 'read_only') return false
  return tries < REFUSALS && (status >= 500 || status === 409 || status === 423)
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController()

  return new Promise((resolve) => {
    const end = () => {
      over.abort()
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, ms)
    window.addEventListener('online', end, { signal: over.signal })
    signal.addEventListener('abort', end, { signal: over.signal })
  })
}
