import { BucketError } from '../data/bucket/bucket-error'
import type { PostgresClient } from '../data/postgres/connection'
import { PostgresError, postgresError } from '../data/postgres/postgres-error'
import { bucketProblemLine } from '../texts/host/bucket-texts'

/** Errors of PostgreSQL's client and of the bucket as sentences; other errors keep theirs. */
export function explainClusterError(cause: unknown): unknown {
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

  const isOfPostgres =
    cause instanceof Error &&
    ('severity' in cause || /Connection terminated|not queryable|timeout/.test(cause.message))
  return isOfPostgres ? postgresError(cause) : cause
}

/** Commits a move. Without a reply it may have failed: the next run finds out. */
export async function commitMove(client: PostgresClient): Promise<void> {
  await client.query('commit').catch((cause: unknown) => {
    const words =
      'The connection to PostgreSQL was lost during the last step. Run the same command again'
    throw new PostgresError(words, true, cause)
  })
}
