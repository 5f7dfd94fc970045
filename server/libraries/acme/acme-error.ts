/**
 * Our own failure types, in addition to those of RFC 8555 §6.7 such as `connection` or
 * `rateLimited`.
 */
type OwnType =
  /** This computer cannot connect to the authority, or does not trust it. */
  | 'unreachable'
  /** The authority did not finish in time. */
  | 'slow'
  /** The clock of this computer is wrong. */
  | 'clock'
  /** The authority breaks the protocol. */
  | 'malformedReply'
  /** The authority does not offer what this order needs. */
  | 'notOffered'
  /** The keys cannot be read or stored. */
  | 'notSaved'

/** Why an authority issued no certificate. */
export class AcmeError extends Error {
  override readonly name = 'AcmeError'

  constructor(
    /** Last part of the authority's `urn:ietf:params:acme:error:…`, or one of our own types. */
    readonly type: OwnType | (string & {}),
    /** The authority's own words, or ours, as one line. */
    readonly detail: string,
    /** Pause that the authority asks for, in ms. */
    readonly retryAfterMs = 0,
  ) {
    super(detail)
  }

  /**
   * Whether the authority could not connect to the outside door, because a firewall or the provider
   * blocks the port. Pebble calls this `unauthorized` for TLS-ALPN-01.
   */
  get isConnection(): boolean {
    return this.type === 'connection' || /^failed to connect\b/i.test(this.detail)
  }
}
