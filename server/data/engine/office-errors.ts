/** What this process knows counts no more, and never will again: it ends. */
export abstract class PlaceLostError extends Error {}

/** Another process is the writer of the cluster. */
export class OfficeLostError extends PlaceLostError {
  override readonly name = 'OfficeLostError'

  constructor(readonly why: string) {
    super(`This host is no longer the writer of its cluster: ${why}`)
  }
}

/**
 * A reader cannot go on from what it knows: the engine has an older state, a newer schema or no
 * such cluster.
 */
export class FollowerLostError extends PlaceLostError {
  override readonly name = 'FollowerLostError'

  constructor(why: string) {
    super(`This host can no longer follow its cluster: ${why}`)
  }
}

/** The engine does not answer, so nobody knows whether what this process knows still counts. */
export class EngineAwayError extends Error {
  override readonly name = 'EngineAwayError'

  constructor(cause?: unknown) {
    super('The engine does not answer', { cause })
  }
}
