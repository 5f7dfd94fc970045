/** Another process is the writer of the cluster, so nothing that this one knows counts any more. */
export class OfficeLostError extends Error {
  override readonly name = 'OfficeLostError'

  constructor(readonly why: string) {
    super(`This host is no longer the writer of its cluster: ${why}`)
  }
}

/** The engine does not answer, so nobody knows whether this process is still the writer. */
export class EngineAwayError extends Error {
  override readonly name = 'EngineAwayError'

  constructor(cause: unknown) {
    super('The engine does not answer', { cause })
  }
}
