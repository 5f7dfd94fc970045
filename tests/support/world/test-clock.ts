import { realSources, type Sources } from '../../../server/core/clock'

/** The clock and ids of one test: the clock stops until the test advances it. */
export class TestClock implements Sources {
  /** The ids of the next records, where a test must know them. */
  nextIds: string[] = []
  #elapsed = 0
  #now = Date.parse('2030-01-02T03:04:05.000Z')

  now = (): Date => new Date(this.#now)
  elapsed = (): number => this.#elapsed
  newId = (): string => this.nextIds.shift() ?? realSources.newId()

  /** Advances the clock by so many ms. */
  advance(ms: number): void {
    this.#now += ms
    this.#elapsed += ms
  }

  /** Sets the clock by so many ms, as a person or an empty battery does. */
  setClock(ms: number): void {
    this.#now += ms
  }
}

/** Real time, which passes by itself. */
export class RealClock extends TestClock {
  override now = (): Date => realSources.now()
  override elapsed = (): number => realSources.elapsed()
  override newId = (): string => realSources.newId()

  override advance(): void {
    // Nobody can.
  }
}

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
