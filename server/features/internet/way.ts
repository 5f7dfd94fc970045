/** One opening, or what is due of it. */
export interface Run {
  /** Aborted when the way is closed meanwhile. */
  signal: AbortSignal
  /** Whether a person started it, who sees the steps. */
  isAsked: boolean
}

/** A way from the internet to this host. */
export interface Way {
  /** Opens it; the state shows how far that got. What is open already stays open. */
  open(run: Run): Promise<void>
  /** Renews, retries and follows changes where that is due. Call it every second or so. */
  check(signal: AbortSignal): Promise<void>
  /** Undoes all of it. */
  close(): Promise<void>
}
