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
 * A replica cannot go on from what it knows: PostgreSQL has an older state, a newer schema or no
 * such cluster.
 */
export class FollowerLostError extends RoleLostError {
  override readonly name = 'FollowerLostError'

  constructor(why: string) {
    super(`This host can no longer follow its cluster: ${why}`)
  }
}

/** PostgreSQL does not answer, so this process may be outdated. */
export class PostgresAwayError extends Error {
  override readonly name = 'PostgresAwayError'

  constructor(cause?: unknown) {
    super('PostgreSQL does not answer', { cause })
  }
}
