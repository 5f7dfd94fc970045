import { DELIVERIES_KEPT } from '../../contract'
import type { Sources } from '../../core/clock'
import { Signal } from '../../core/signal'
import { compareText } from '../../core/versions'
import type { Collection, Library, SortedIndex, Transaction } from '../../data/library/library'
import { formatWhole, limitWords } from '../../texts/format'
import type { DeliveryRecord, Happening, WebhookRecord } from '../../data/records/webhook-records'

/** The most waiting messages of an account. Further ones are stored as failed. */
const MOST_WAITING = 5000
/** The most bytes of them. */
const MOST_BYTES_WAITING = 5 * 1024 * 1024

/**
 * The messages to webhooks: those that wait, and the last ones of each webhook. A message is queued
 * in the transaction of the change that it reports, so that a crash loses both or neither.
 */
export class DeliveryQueue {
  /** Emitted when a message was queued. */
  readonly added = new Signal()
  readonly #deliveries: Collection<DeliveryRecord>
  readonly #newest: SortedIndex<DeliveryRecord>
  readonly #waiting: SortedIndex<DeliveryRecord>
  readonly #owned: { get(userId: string): number }
  readonly #ownedBytes: { get(userId: string): number }
  readonly #perWebhook: { groups(): Iterable<string> }
  #number: number | undefined

  constructor(
    library: Library,
    private readonly sources: Sources,
  ) {
    this.#deliveries = library.collection('webhookDeliveries')

    this.#newest = this.#deliveries.sorted(
      ({ webhookId }) => [webhookId],
      (a, b) => b.number - a.number,
    )

    this.#waiting = this.#deliveries.sorted(
      ({ state, webhookId }) => (state === 'waiting' ? [webhookId] : []),
      (a, b) => compareText(a.nextTryAt, b.nextTryAt) || a.number - b.number,
    )

    this.#owned = this.#deliveries.sum(
      ({ ownerId }) => ownerId,
      ({ state }) => (state === 'waiting' ? 1 : 0),
    )

    this.#ownedBytes = this.#deliveries.sum(
      ({ ownerId }) => ownerId,
      (delivery) => (delivery.state === 'waiting' ? sizeOf(delivery) : 0),
    )

    this.#perWebhook = this.#deliveries.sum(
      ({ webhookId }) => webhookId,
      ({ state }) => (state === 'waiting' ? 1 : 0),
    )
  }

  find(webhookId: string, id: string): DeliveryRecord | undefined {
    const delivery = this.#deliveries.get(id)
    return delivery?.webhookId === webhookId ? delivery : undefined
  }

  /** Lists the last messages of a webhook, newest first. */
  list(webhookId: string): DeliveryRecord[] {
    return this.#newest.get(webhookId).slice(0, DELIVERIES_KEPT)
  }

  /** Lists the waiting messages of a webhook, the next one first. The list is live. */
  waiting(webhookId: string): readonly DeliveryRecord[] {
    return this.#waiting.get(webhookId)
  }

  /** The webhooks with waiting messages. */
  webhookIds(): Iterable<string> {
    return this.#perWebhook.groups()
  }

  /** Creates a message without queuing it. */
  draft(
    { id: webhookId, projectId, ownerId }: WebhookRecord,
    happening: Happening,
  ): DeliveryRecord {
    const now = this.sources.now().toISOString()

    return {
      id: this.sources.newId(),
      webhookId,
      projectId,
      ownerId,
      number: this.#nextNumber(),
      happening,
      createdAt: now,
      state: 'waiting',
      tries: 0,
      nextTryAt: now,
      lastTry: null,
    }
  }

  /** Queues a message. A message with the same id is queued once. */
  add(tx: Transaction, webhook: WebhookRecord, happening: Happening, id?: string): void {
    if (id !== undefined && this.#deliveries.has(id)) return
    const draft = this.draft(webhook, happening)
    const delivery = id === undefined ? draft : { ...draft, id }

    const amount = this.#fullBy(delivery)
    if (amount !== undefined) return this.put(tx, leftOut(delivery, amount))

    tx.put(this.#deliveries, delivery.id, delivery)
    tx.after(() => this.added.emit())
  }

  /** Saves a message, and deletes the oldest ones that do not wait. */
  put(tx: Transaction, delivery: DeliveryRecord): void {
    tx.put(this.#deliveries, delivery.id, delivery)
    const others = this.#newest
      .get(delivery.webhookId)
      .filter(({ id, state }) => id !== delivery.id && state !== 'waiting')
    const room = delivery.state === 'waiting' ? DELIVERIES_KEPT : DELIVERIES_KEPT - 1
    for (const { id } of others.slice(room)) tx.delete(this.#deliveries, id)
  }

  /**
   * Marks the waiting messages of a webhook as failed; its owner can resend the last ones. `tried`:
   * a message with a newer state than the stored one.
   */
  giveUp(tx: Transaction, webhookId: string, tried?: DeliveryRecord): void {
    this.#newest.get(webhookId).forEach((before, place) => {
      const { id, state } = before
      const delivery = id === tried?.id ? tried : before
      if (place >= DELIVERIES_KEPT) tx.delete(this.#deliveries, id)
      else if (state === 'waiting') tx.put(this.#deliveries, id, { ...delivery, state: 'failed' })
    })
  }

  /** Deletes all messages to a webhook. */
  forget(tx: Transaction, webhookId: string): void {
    for (const { id } of this.#newest.get(webhookId)) tx.delete(this.#deliveries, id)
  }

  /** Returns how many messages or bytes of its owner wait already, where this is one too many. */
  #fullBy(delivery: DeliveryRecord): string | undefined {
    const { ownerId } = delivery
    if (this.#owned.get(ownerId) >= MOST_WAITING) return formatWhole(MOST_WAITING)
    const bytes = this.#ownedBytes.get(ownerId) + sizeOf(delivery)
    return bytes > MOST_BYTES_WAITING ? `${limitWords(MOST_BYTES_WAITING)} of` : undefined
  }

  #nextNumber(): number {
    this.#number ??= [...this.#deliveries.values()].reduce(
      (most, { number }) => Math.max(most, number),
      0,
    )
    return ++this.#number
  }
}

const sizeOf = (delivery: DeliveryRecord): number => Buffer.byteLength(JSON.stringify(delivery))

/** Marks a message as failed without sending it: its owner can resend it. */
const leftOut = (delivery: DeliveryRecord, amount: string): DeliveryRecord => ({
  ...delivery,
  state: 'failed',
  lastTry: {
    at: delivery.createdAt,
    status: null,
    error: `Not sent: ${amount} messages of yours wait already`,
    reply: '',
    tookMs: 0,
  },
})
