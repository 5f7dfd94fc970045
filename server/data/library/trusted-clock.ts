import type { RecordOf } from '../records/records'
import type { Collection, Library } from './library'
import { DAY_MS, type Clock } from '../../core/clock'

/** Times in ms since 1970. */
export interface ClockState {
  last: number
  trusted: number
  /** How long the host must run until it trusts the clock again, in ms; 0 if it does. */
  wait: number
}

/**
 * Reads the clock. After a jump of more than a day, the clock is trusted again once the host has
 * run for 24 hours without another jump; until then the trusted time advances with the running
 * time. `ran`: running time since the last reading, in ms; null after a start, when a forward jump
 * may just be the time the host was off.
 */
export function readClock(state: ClockState, clock: number, ran: number | null): ClockState {
  const passed = ran ?? 0
  const trusted = state.trusted + passed
  if (Math.abs(clock - trusted) <= DAY_MS) return { last: clock, trusted: clock, wait: 0 }
  const jump = clock - state.last - passed
  const wasOff = ran === null && jump > 0
  const starts = state.wait === 0 || (Math.abs(jump) > DAY_MS && !wasOff)
  const wait = starts ? DAY_MS : Math.max(0, state.wait - passed)
  return { last: clock, trusted: wait === 0 ? clock : trusted, wait }
}

/** The clock for deletion by age: a clock that is wrong for a while must not delete data. */
export class TrustedClock {
  readonly #kept: Collection<RecordOf<'meta'>>
  #state: ClockState
  #readAt: number

  constructor(
    private readonly library: Library,
    private readonly clock: Clock,
  ) {
    this.#kept = library.collection('meta')

    const now = clock.now().getTime()
    const newest = newestIn(library) ?? now
    this.#state = readClock(
      this.#kept.get(ID) ?? { last: newest, trusted: newest, wait: 0 },
      now,
      null,
    )

    this.#readAt = clock.elapsed()
  }

  /** The time for judging age: never ahead of the trusted time. */
  now = (): Date => {
    const { last, trusted } = this.#read()
    return new Date(Math.min(last, trusted))
  }

  /** The timestamp for records that expire. Never before the trusted time. */
  stamp = (): Date => {
    const { last, trusted } = this.#read()
    return new Date(Math.max(last, trusted))
  }

  async keep(): Promise<void> {
    const state = this.#read()
    await this.library.transact((tx) => tx.put(this.#kept, ID, { id: ID, ...state }))
  }

  #read(): ClockState {
    const elapsed = this.clock.elapsed()
    this.#state = readClock(this.#state, this.clock.now().getTime(), elapsed - this.#readAt)
    this.#readAt = elapsed
    return this.#state
  }
}

const ID = 'clock'

function newestIn(library: Library): number | undefined {
  let newest: string | undefined
  const see = (time: string) => {
    if (newest === undefined || time > newest) newest = time
  }
  for (const { lastSeenAt } of library.collection('sessions').values()) see(lastSeenAt)
  for (const { uploadedAt } of library.collection('files').values()) see(uploadedAt)
  for (const { createdAt } of library.collection('uploads').values()) see(createdAt)
  for (const { deletedAt } of library.collection('trash').values()) see(deletedAt)
  return newest === undefined ? undefined : Date.parse(newest)
}
