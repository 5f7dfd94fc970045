import { BucketError } from '../data/bucket/bucket-error'
import type { EngineClient } from '../data/engine/connection'
import { EngineError, engineError } from '../data/engine/engine-error'
import { bucketProblemLine } from '../texts/host/bucket-texts'

/** Errors of PostgreSQL's client and of the bucket as sentences; other errors keep theirs. */
export function inWords(cause: unknown): unknown {
  if (cause instanceof BucketError) {
    const { kind, detail, clockOffMs } = cause
    const line = bucketProblemLine({
      kind,
      clock_off_s: clockOffMs === undefined ? null : clockOffMs / 1000,
    })
    return new Error(
      `${line} Check "bucket" in the file of --cluster${detail === '' ? '' : ` (${detail})`}`,
      { cause },
    )
  }
  const isOfEngine =
    cause instanceof Error &&
    ('severity' in cause || /Connection terminated|not queryable|timeout/.test(cause.message))
  return isOfEngine ? engineError(cause) : cause
}

/** Commits a move. Without a reply nobody knows whether it counts, but the next run finds out. */
export async function commitMove(client: EngineClient): Promise<void> {
  await client.query('commit').catch((cause: unknown) => {
    const words =
      'The connection to the engine was lost during the last step. Run the same command again'
    throw new EngineError(words, true, cause)
  })
}
