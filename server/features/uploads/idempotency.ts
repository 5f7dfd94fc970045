import { AppError } from '../../core/errors'
import type { KeyedRequest } from '../../http/endpoint/idempotency-key'
import type { Collection, Index, Library, Transaction } from '../../data/library/library'
import type { World } from '../../core/clock'

const KEPT_MS = 24 * 60 * 60 * 1000
/** The oldest key of a user makes room for the newest. */
const MOST_PER_USER = 1000

interface KeyRecord {
  /** User and key. */
  id: string
  userId: string
  fingerprint: string
  /** The body that was answered. */
  reply: object
  createdAt: string
}

/** Joins the transaction of what the request does: either both are kept, or neither. */
export type Remember = (tx: Transaction, reply: object) => void

/** What requests with an Idempotency-Key were answered, for a day. Only what has succeeded is kept. */
export class IdempotencyKeys {
  readonly #keys: Collection<KeyRecord>
  readonly #byUser: Index<KeyRecord>
  readonly #running = new Set<string>()

  constructor(
    private readonly library: Library,
    private readonly world: World,
  ) {
    this.#keys = library.collection<KeyRecord>('idempotencyKeys')
    this.#byUser = this.#keys.index((record) => record.userId)
  }

  /**
   * The reply of an earlier request with this key; undefined for the first. Throws `key_reused` where that asked for
   * something else.
   */
  answered(userId: string, { key, fingerprint }: KeyedRequest): object | undefined {
    const record = this.#keys.get(idOf(userId, key))
    if (!record || isOver(record, this.world.now())) return undefined
    if (record.fingerprint === fingerprint) return record.reply
    throw new AppError('key_reused', 'This Idempotency-Key was used for another request', 'Idempotency-Key')
  }

  /** Runs the first request with a key, one at a time. Throws `in_progress` while another one runs. */
  async run<T>(
    userId: string,
    { key, fingerprint }: KeyedRequest,
    request: (remember: Remember) => Promise<T>,
  ): Promise<T> {
    const id = idOf(userId, key)
    if (this.#running.has(id)) {
      throw new AppError('in_progress', 'A request with this Idempotency-Key is still running', 'Idempotency-Key', {
        'Retry-After': '5',
      })
    }
    this.#running.add(id)
    try {
      return await request((tx, reply) => this.#put(tx, { id, userId, fingerprint, reply }))
    } finally {
      this.#running.delete(id)
    }
  }

  /** Forgets what is older than a day by this time. */
  async sweep(now: Date): Promise<void> {
    const over = [...this.#keys.values()].filter((record) => isOver(record, now))
    if (over.length === 0) return
    await this.library.transact((tx) => {
      for (const { id } of over) tx.delete(this.#keys, id)
    })
  }

  #put(tx: Transaction, record: Omit<KeyRecord, 'createdAt'>): void {
    const known = this.#byUser.get(record.userId)
    for (const { id } of known.slice(0, Math.max(0, known.length + 1 - MOST_PER_USER))) tx.delete(this.#keys, id)
    tx.put(this.#keys, record.id, { ...record, createdAt: this.world.now().toISOString() })
  }
}

const isOver = ({ createdAt }: KeyRecord, now: Date) => now.getTime() - Date.parse(createdAt) >= KEPT_MS

const idOf = (userId: string, key: string) => `${userId} ${key}`
