import type { EngineClient } from '../data/engine/connection'
import { EngineError, engineError } from '../data/engine/engine-error'

/** Errors of PostgreSQL's client as sentences; other errors keep theirs. */
export const inWords = (cause: unknown): unknown =>
  cause instanceof Error && ('severity' in cause || /Connection terminated|not queryable|timeout/.test(cause.message))
    ? engineError(cause)
    : cause

/** Commits a move. Without a reply nobody knows whether it counts, but the next run finds out. */
export async function commitMove(client: EngineClient): Promise<void> {
  await client.query('commit').catch((cause: unknown) => {
    const words = 'The connection to the engine was lost during the last step. Run the same command again'
    throw new EngineError(words, true, cause)
  })
}
