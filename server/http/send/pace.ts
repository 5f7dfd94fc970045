const KIB = 1024
/** A client starts with the first size and, after four writes that it took at once, moves on to the next. */
const STEPS = [64 * KIB, 256 * KIB, 512 * KIB] as const
const FAST_WRITES = 4
const FAST_MS = 25
/** A write that takes longer is that of a client which has stopped, or is slow. */
export const STALL_MS = 200

/** How much to hand to a client at a time: large pieces are fast, but what a slow client is given lies in memory. */
export class Pace {
  #step = 0
  #fast = 0

  /** Bytes. */
  get size(): number {
    return STEPS[this.#step] ?? STEPS[0]
  }

  /** A write has been taken after so many ms. */
  wrote(ms: number): void {
    if (ms > STALL_MS) this.#step = 0
    this.#fast = ms < FAST_MS ? this.#fast + 1 : 0
    if (this.#fast < FAST_WRITES || this.#step === STEPS.length - 1) return
    this.#step++
    this.#fast = 0
  }
}
