export interface Sample {
  /** Milliseconds. */
  at: number
  bytes: number
}

/** Window of the shown rate: long enough to be calm, short enough to be current. */
const WINDOW_MS = 4000
/** Less time than this gives only a guess. */
const SETTLED_MS = 600

export function remember(samples: readonly Sample[], sample: Sample): Sample[] {
  return [...samples.filter(({ at }) => at > sample.at - WINDOW_MS), sample]
}

export function rateOf(samples: readonly Sample[]): number | undefined {
  const first = samples[0]
  const last = samples.at(-1)
  if (!first || !last || last.at - first.at < SETTLED_MS) return undefined
  return ((last.bytes - first.bytes) * 1000) / (last.at - first.at)
}

/** The rate over successive transfers, so that it does not restart with each file. */
export class TransferMeter {
  private samples: readonly Sample[] = []
  private bytes = 0

  /** Records bytes sent by this time (milliseconds); 0 records a stall. */
  note(at: number, moved: number): void {
    this.bytes += Math.max(0, moved)
    this.samples = remember(this.samples, { at, bytes: this.bytes })
  }

  /** The rate before a pause does not apply after it. */
  reset(): void {
    this.samples = []
  }

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
