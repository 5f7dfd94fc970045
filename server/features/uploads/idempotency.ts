import { AppError } from '../../core/errors'
import type { Collection, Index, Library, Transaction } from '../../data/library/library'
import { DAY_MS, type Clock } from '../../core/clock'
import type { IdempotencyRecord } from '../../data/records/upload-records'

/** An idempotency key and the fingerprint of its request. */
export interface KeyedRequest {
  key: string
  fingerprint: string
}

const KEPT_MS = DAY_MS
/** The most keys of a user. The oldest is evicted. */
const MOST_PER_USER = 1000

/** Stores the response in the transaction of the request, so that both succeed or neither. */
export type Remember = (tx: Transaction, reply: object) => void

/** Stores responses to requests with an Idempotency-Key for a day. Only successful ones. */
export class IdempotencyKeys {
  readonly #keys: Collection<IdempotencyRecord>
  readonly #byUser: Index<IdempotencyRecord>
  readonly #running = new Set<string>()

  constructor(
    private readonly library: Library,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.#keys = library.collection('idempotencyKeys')
    this.#byUser = this.#keys.index((record) => record.userId)
  }

  /**
   * Returns the response to an earlier request with this key, if any. Throws `key_reused` if that
   * request differed.
   */
  answered(userId: string, { key, fingerprint }: KeyedRequest): object | undefined {
    const record = this.#keys.get(toRecordId(userId, key))
    if (!record || isOver(record, this.clock.now())) return undefined
    if (record.fingerprint === fingerprint) return record.reply
    throw new AppError(
      'key_reused',
      'This Idempotency-Key was used for another request',
      'Idempotency-Key',
    )
  }

  /** Runs the first request with a key. Throws `in_progress` while one is running. */
  async run<T>(
    userId: string,
    { key, fingerprint }: KeyedRequest,
    request: (remember: Remember) => Promise<T>,
  ): Promise<T> {
    const id = toRecordId(userId, key)

    if (this.#running.has(id)) {
      throw new AppError(
        'in_progress',
        'A request with this Idempotency-Key is still running',
        'Idempotency-Key',
        { 'Retry-After': '5' },
      )
    }

    this.#running.add(id)

    try {
      return await request((tx, reply) => this.#put(tx, { id, userId, fingerprint, reply }))
    } finally {
      this.#running.delete(id)
    }
  }

  /** Deletes replies older than a day. */
  async sweep(now: Date): Promise<void> {
    const over = [...this.#keys.values()].filter((record) => isOver(record, now))
    if (over.length === 0) return
    await this.library.transact((tx) => {
      for (const { id } of over) tx.delete(this.#keys, id)
    })
  }

  #put(tx: Transaction, record: Omit<IdempotencyRecord, 'createdAt'>): void {
    const records = this.#byUser.get(record.userId)
    for (const { id } of records.slice(0, Math.max(0, records.length + 1 - MOST_PER_USER)))
      tx.delete(this.#keys, id)
    tx.put(this.#keys, record.id, { ...record, createdAt: this.clock.now().toISOString() })
  }
}

const isOver = ({ createdAt }: IdempotencyRecord, now: Date) =>
  now.getTime() - Date.parse(createdAt) >= KEPT_MS

const toRecordId = (userId: string, key: string) => `${userId} ${key}`
