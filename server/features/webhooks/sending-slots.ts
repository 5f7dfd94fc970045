import { SizedCache } from '../../core/sized-cache'

/** A response within this time, in ms, is fast. */
const QUICK_MS = 2000
/** The most servers that are known to be fast. Strangers can name many. */
const MOST_KNOWN = 10_000

/** Concurrent requests: in all, of one account, and to receivers that are not known to be fast. */
export interface SlotLimits {
  most: number
  perAccount: number
  slow: number
}

/** Where a message goes. */
export interface Receiver {
  id: string
  /** The account that it belongs to. */
  ownerId: string
  /** What is known to be fast: the receiver itself, or its server. */
  server: string
}

/** A receiver, or a queue of messages. */
export type Queued = Pick<Receiver, 'id' | 'ownerId'>

/**
 * The slots of concurrent requests to receivers that people choose, so that the slow ones of some
 * accounts delay no others. The slots that slow ones cannot take stay free for fast ones.
 */
export class SendingSlots {
  readonly #running = new Set<{ ownerId: string; isSlow: boolean }>()
  /** The servers whose last response was fast; and by account its receivers that were slow. */
  readonly #quick = new SizedCache<string, true>(MOST_KNOWN)
  readonly #slow = new Map<string, Set<string>>()

  constructor(private readonly limits: SlotLimits) {}

  /** Whether no slot is free. */
  get isFull(): boolean {
    return this.#running.size >= this.limits.most
  }

  /** Whether an account may have another request. */
  hasRoom(ownerId: string): boolean {
    const ofAccount = [...this.#running].filter((it) => it.ownerId === ownerId)
    return !this.isFull && ofAccount.length < this.limits.perAccount
  }

  /** Whether a request to a receiver may start. */
  isFree(receiver: Receiver): boolean {
    if (!this.hasRoom(receiver.ownerId)) return false
    if (!this.#isSlow(receiver)) return true
    return [...this.#running].filter(({ isSlow }) => isSlow).length < this.limits.slow
  }

  /** Takes a slot. Returns what frees it. */
  take(receiver: Receiver): () => void {
    const slot = { ownerId: receiver.ownerId, isSlow: this.#isSlow(receiver) }
    this.#running.add(slot)
    return () => void this.#running.delete(slot)
  }

  /** Notes how long a receiver took. */
  noteSpeed({ id, ownerId, server }: Receiver, tookMs: number): void {
    const slow = this.#slow.get(ownerId) ?? new Set()
    if (tookMs > QUICK_MS) {
      this.#quick.delete(server)
      // More would change nothing.
      if (slow.size < this.limits.perAccount) this.#slow.set(ownerId, slow.add(id))
      return
    }
    this.#quick.set(server, true, 1)
    slow.delete(id)
    if (slow.size === 0) this.#slow.delete(ownerId)
  }

  /**
   * Whether a response may take long: the server is not known to be fast, or the account has
   * several slow receivers.
   */
  #isSlow({ ownerId, server }: Receiver): boolean {
    const slow = this.#slow.get(ownerId)?.size ?? 0
    return this.#quick.get(server) === undefined || slow >= this.limits.perAccount
  }
}

/** Orders by who waited longest: first the accounts, then what each of them has. */
export class RoundRobin {
  readonly #servedAt = new Map<string, number>()
  #served = 0

  note({ id, ownerId }: Queued): void {
    this.#served++
    this.#servedAt.set(ownerId, this.#served).set(id, this.#served)
  }

  sort<Item extends Queued>(items: Item[]): Item[] {
    const at = (key: string) => this.#servedAt.get(key) ?? 0
    return items.sort((a, b) => at(a.ownerId) - at(b.ownerId) || at(a.id) - at(b.id))
  }
}
