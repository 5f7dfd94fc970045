import { AppError } from '../../core/errors'

/** When a client may try again while PostgreSQL does not answer, in seconds. */
const RETRY_S = 2

/** What this process knows is outdated for good, so the process ends. */
export abstract class RoleLostError extends Error {}

/** Another process is the primary of the cluster. */
export class LeaseLostError extends RoleLostError {
  override readonly name = 'LeaseLostError'

  constructor(readonly why: string) {
    super(`This host is no longer the primary of its cluster: ${why}`)
  }
}

/**
 * A replica cannot continue from what it knows: PostgreSQL has an older state, a newer schema or no
 * such cluster.
 */
export class FollowerLostError extends RoleLostError {
  override readonly name = 'FollowerLostError'

  constructor(why: string) {
    super(`This host can no longer follow its cluster: ${why}`)
  }
}

/** PostgreSQL does not answer, so this process may be outdated. */
export class PostgresAwayError extends AppError {
  constructor(override readonly cause?: unknown) {
    const words = 'The database of this host does not answer, so nothing was changed'
    super('busy', `${words}. Try again soon`, undefined, { 'Retry-After': String(RETRY_S) })
  }
}
