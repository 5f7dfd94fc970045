/** How far a transfer was at a moment. */
export interface Sample {
  /** Milliseconds. */
  at: number
  bytes: number
}

/** The speed shown is that of the last seconds: long enough to be calm, short enough to be true. */
const WINDOW_MS = 4000
/** A speed from less than this is a guess. */
const SETTLED_MS = 600

/** Adds a sample and forgets those that are too old to count. */
export function remember(samples: readonly Sample[], sample: Sample): Sample[] {
  return [...samples.filter(({ at }) => at > sample.at - WINDOW_MS), sample]
}

/** Bytes per second over the samples, or undefined while that would be a guess. */
export function rateOf(samples: readonly Sample[]): number | undefined {
  const first = samples[0]
  const last = samples.at(-1)
  if (!first || !last || last.at - first.at < SETTLED_MS) return undefined
  return ((last.bytes - first.bytes) * 1000) / (last.at - first.at)
}

/** The speed of one transfer after the other: what a line carries does not start anew with each file. */
export class TransferMeter {
  private samples: readonly Sample[] = []
  private bytes = 0

  /** Notes that so many bytes more have left by this moment (milliseconds); 0 notes that nothing moves. */
  note(at: number, moved: number): void {
    this.bytes += Math.max(0, moved)
    this.samples = remember(this.samples, { at, bytes: this.bytes })
  }

  /** Forgets what was: after a pause the speed before it says nothing. */
  reset(): void {
    this.samples = []
  }

  /** Bytes per second of the last seconds, or undefined while that would be a guess. */
  get rate(): number | undefined {
    return rateOf(this.samples)
  }
}

/** 'About 40 seconds left', rounded so that it does not flicker. */
export function timeLeft(bytesLeft: number, rate: number): string {
  if (rate <= 0) return 'Waiting for the network'
  const seconds = bytesLeft / rate
  if (seconds < 5) return 'A few seconds left'
  if (seconds < 55) return `About ${Math.ceil(seconds / 5) * 5} seconds left`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return minutes <= 1 ? 'About 1 minute left' : `About ${minutes} minutes left`
  const hours = Math.round(minutes / 6) / 10
  return hours === 1 ? 'About 1 hour left' : `About ${hours} hours left`
}
