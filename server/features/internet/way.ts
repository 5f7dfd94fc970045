/** An opening, or a check of an open way. */
export interface Run {
  /** Aborted when the way is closed. */
  signal: AbortSignal
  /** Whether a person started it and sees the steps. */
  isAsked: boolean
}

/** A way from the internet to this host. */
export interface Way {
  /** Opens the way. The state shows the progress. What is open stays open. */
  open(run: Run): Promise<void>
  /** Renews, retries and follows changes when due. Call this about every second. */
  check(signal: AbortSignal): Promise<void>
  /** Undoes everything. */
  close(): Promise<void>
}
