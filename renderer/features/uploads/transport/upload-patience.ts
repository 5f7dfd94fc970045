import { ApiError } from '../../../lib/client/api-client'

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 20_000
/**
 * How often the host may answer that it cannot do it now: for longer than the minute after which it gives up a dead
 * connection. While it does not answer at all, we never give up.
 */
const REFUSALS = 11

interface Patience {
  signal: AbortSignal
  /** Which failures are told at once, though another try might mend them. */
  isFinal?: (cause: ApiError) => boolean
  /** Called before each wait. */
  onInterrupted: (cause: ApiError) => void
}

/**
 * Tries until it works: at once when the network comes back, else after a delay that doubles. `attempt` calls
 * `progressed` when it came further, and the delays begin anew. Throws what no further try can mend.
 */
export async function withPatience<Result>(
  attempt: (progressed: () => void) => Promise<Result>,
  { signal, isFinal = () => false, onInterrupted }: Patience,
): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt(() => (tries = 0))
    } catch (cause) {
      if (signal.aborted || !(cause instanceof ApiError) || isFinal(cause) || !mayPass(cause, tries)) throw cause
      onInterrupted(cause)
      await rest(delayBefore(tries), signal)
      signal.throwIfAborted()
    }
  }
}

/** Milliseconds. Half of it is chance, so that the browsers of a team do not all come back to a host at one moment. */
export function delayBefore(tries: number, chance: () => number = Math.random): number {
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** tries)
  return (longest * (1 + chance())) / 2
}

/** No answer, another request that still writes (409, 423), or a host that has its own troubles; a full disk stays full. */
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
