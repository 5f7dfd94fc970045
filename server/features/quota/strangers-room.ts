import { RECEIVED_SHARE, tierQuota, type Tier } from '../../contract'

interface Deps {
  /** Bytes of people without an account that a user has. */
  receivedBy(userId: string): number
  /** Bytes of uploads to the user that are unfinished. */
  unfinishedReceivedBy(userId: string): number
  users: { tierOf(userId: string): Tier }
}

/** What arrives in one request, which no record names yet. `at`: what gets it, by its ids. */
export interface Arriving {
  readonly ownerId: string
  readonly at: readonly string[]
  bytes: number
}

/** Room for such a request. */
export interface HeldRoom extends Disposable {
  /** Call before byte `bytes`. Throws what `check` throws. */
  cover(bytes: number): void
}

/** The part of each account's storage that people without an account may use. */
export class StrangersRoom {
  readonly #arriving = new Set<Arriving>()

  constructor(private readonly deps: Deps) {}

  /** Whether `bytes` more fit. `own`: the request that asks. */
  fits(ownerId: string, bytes: number, own?: Arriving): boolean {
    const here = this.#others(own).filter((it) => it.ownerId === ownerId)
    return this.fitsText(ownerId, this.deps.unfinishedReceivedBy(ownerId) + sumOf(here) + bytes)
  }

  /**
   * Whether a text of `bytes` fits beside what has arrived. Files that are still being sent do not
   * count, or one that a stranger sends slowly would keep out all others.
   */
  fitsText(ownerId: string, bytes: number): boolean {
    const most = tierQuota[this.deps.users.tierOf(ownerId)] * RECEIVED_SHARE
    return this.deps.receivedBy(ownerId) + bytes <= most
  }

  /** Counts what other requests bring to a link or record. */
  countArriving(id: string, own?: Arriving): { requests: number; bytes: number } {
    const here = this.#others(own).filter((it) => it.at.includes(id))
    return { requests: here.length, bytes: sumOf(here) }
  }

  /** Holds room for a request. `check` throws if another one of this size does not fit. */
  hold(
    place: Pick<Arriving, 'ownerId' | 'at'>,
    bytes: number,
    check: (bytes: number, own: Arriving) => void,
  ): HeldRoom {
    const arriving: Arriving = { ...place, bytes }
    check(bytes, arriving)
    this.#arriving.add(arriving)

    return {
      cover: (total) => {
        // A body without a length grows.
        if (total <= arriving.bytes) return
        check(total, arriving)
        arriving.bytes = total
      },
      [Symbol.dispose]: () => void this.#arriving.delete(arriving),
    }
  }

  #others(own: Arriving | undefined): Arriving[] {
    return [...this.#arriving].filter((it) => it !== own)
  }
}

const sumOf = (arriving: readonly Arriving[]) =>
  arriving.reduce((total, { bytes }) => total + bytes, 0)
