/** Client timeouts, in ms. */
export interface Patience {
  /** Cuts a connection without traffic. */
  idleMs: number
  /** First byte of a new connection. */
  firstByteMs: number
  headersMs: number
  bodyMs: number
  /** Cuts a client that does not read a JSON reply. */
  unreadMs: number
  /** A silent request releases its upload to the next request. */
  silentMs: number
}

/** No limit for whole requests: 2 GB over a slow line take hours. */
export const usualPatience: Patience = {
  idleMs: 60_000,
  firstByteMs: 5000,
  headersMs: 15_000,
  bodyMs: 30_000,
  unreadMs: 15_000,
  silentMs: 3000,
}
