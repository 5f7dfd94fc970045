const KIB = 1024
/** Block sizes: a client starts with the first and moves up after four fast writes. */
const STEPS = [64 * KIB, 256 * KIB, 512 * KIB] as const
const FAST_WRITES = 4
const FAST_MS = 25
/** A slower write means a stalled or slow client, in ms. */
export const STALL_MS = 200

/** Chooses the block size: large blocks are fast, but a slow client keeps them in memory. */
export class Pace {
  #step = 0
  #fast = 0

  get size(): number {
    return STEPS[this.#step] ?? STEPS[0]
  }

  wrote(ms: number): void {
    if (ms > STALL_MS) this.#step = 0
    this.#fast = ms < FAST_MS ? this.#fast + 1 : 0
    if (this.#fast < FAST_WRITES || this.#step === STEPS.length - 1) return
    this.#step++
    this.#fast = 0
  }
}
