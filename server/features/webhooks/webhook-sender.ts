import { AppError } from '../../core/errors'
import type { Sources } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import type { Library } from '../../data/library/library'
import type { DeliveryRecord, Happening, WebhookRecord } from '../../data/records/webhook-records'
import { attempt, type Outcome } from './attempt'
import type { DeliveryQueue } from './delivery-queue'
import { writeRequest } from './requests'
import { isDue, judge } from './retries'
import { SendingSlots, RoundRobin, type Receiver, type SlotLimits } from './sending-slots'
import type { WebhookStore } from './webhook-store'

/** A webhook has one request at most, so that a slow receiver delays only itself. */
const SLOTS: SlotLimits = { most: 32, perAccount: 4, slow: 16 }
/** The longest time between two checks of the queue, in ms: the clock may have been set. */
const LOOK_MS = 60_000

interface SenderDeps {
  library: Library
  store: WebhookStore
  queue: DeliveryQueue
  sources: Sources
  log: Pick<Log, 'info' | 'error'>
  version: string
  /** Where others reach this host, or null. */
  origin: () => string | null
  mayReach: (address: string) => boolean
  /** Whether an account may use this host. */
  isActive: (userId: string) => boolean
  /** Called after the host has turned off a webhook. */
  onTurnedOff: (webhook: WebhookRecord) => void
}

/**
 * Sends the queued messages of webhooks, at least once each.
 *
 * A message is queued in the transaction of the change that it reports (`open-webhooks.ts`), so a
 * crash loses both or neither. Its states: waiting, delivered, failed.
 *
 * `look` runs after each queued message, after each attempt, and by a timer when the next message
 * is due, at least once a minute. It starts due messages while slots are free:
 * - one request per webhook, so that its messages stay in order and a slow receiver delays only
 *   itself;
 * - at most 4 per account and 32 in all, of which 16 for receivers that are not known to be fast;
 * - the account that waited longest first, and of its webhooks the one that waited longest.
 *
 * An attempt does not hold a transaction. Its result is saved in a second one (`#settle`), which
 * rereads webhook and message: either may have been changed or deleted during the request. A crash
 * in between repeats the request; receivers recognize the repeated `webhook-id`. Nothing is sent
 * while the library is read-only, because results could not be saved.
 *
 * A failure delays both the message and its webhook (`retries.ts`), so that a dead receiver gets
 * one request at a time. After 21 failures in a row, or status 410, the webhook is turned off and
 * its waiting messages fail. The owner can resend messages by hand; a success also ends the delay
 * of the webhook.
 *
 * See docs/decisions/0088-queue-webhooks-in-the-library.md.
 */
export class WebhookSender {
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #slots = new SendingSlots(SLOTS)
  readonly #order = new RoundRobin()
  readonly #byHand = new Set<string>()
  readonly #closing = new AbortController()
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly deps: SenderDeps) {}

  /** Sends the messages left by the last run, and from now on what is queued. */
  start(): void {
    this.deps.queue.added.subscribe(() => this.look())
    this.look()
  }

  /** Ends all requests. Their messages stay in the queue. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#closing.abort()
    await this.idle()
  }

  /** Resolves when no request is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  /** Starts the due messages. Nothing is sent while results cannot be saved. */
  look(): void {
    clearTimeout(this.#timer)
    if (this.#closing.signal.aborted) return
    const now = this.deps.sources.now().getTime()
    if (!this.deps.library.readOnly) {
      while (this.#startOne(now));
    }
    this.#timer = setTimeout(() => this.look(), this.#untilNext(now)).unref()
  }

  /** Sends a test once, and stores it among the deliveries. Throws `in_progress`. */
  test(webhook: WebhookRecord, happening: Happening): Promise<DeliveryRecord> {
    return this.#sendByHand(webhook, this.deps.queue.draft(webhook, happening))
  }

  /** Resends a message with its id, whatever its state. Throws `in_progress`. */
  sendAgain(webhook: WebhookRecord, delivery: DeliveryRecord): Promise<DeliveryRecord> {
    return this.#sendByHand(webhook, delivery)
  }

  #inTurn(): WebhookRecord[] {
    const { queue, store } = this.deps
    return this.#order.sort([...queue.webhookIds()].flatMap((id) => store.find(id) ?? []))
  }

  /** Starts the next due message. Returns false if none is due or no slot is free. */
  #startOne(now: number): boolean {
    if (this.#slots.isFull) return false
    for (const webhook of this.#inTurn()) {
      const delivery = this.#isFree(webhook) ? this.#findDue(webhook, now) : undefined
      if (!delivery) continue
      this.#start(webhook, delivery)
      return true
    }
    return false
  }

  #isFree(webhook: WebhookRecord): boolean {
    if (!webhook.isOn || this.#running.has(webhook.id)) return false
    return this.#slots.isFree(toReceiver(webhook)) && this.deps.isActive(webhook.ownerId)
  }

  #findDue({ id, restsUntil }: WebhookRecord, now: number): DeliveryRecord | undefined {
    if (restsUntil !== null && !isDue(restsUntil, now)) return undefined
    const waiting = this.deps.queue.waiting(id)
    return [waiting[0], waiting.at(-1)].find(
      (delivery) => delivery && isDue(delivery.nextTryAt, now),
    )
  }

  #start(webhook: WebhookRecord, delivery: DeliveryRecord): void {
    const { id } = webhook
    this.#order.note(webhook)
    const free = this.#slots.take(toReceiver(webhook))

    const sent = this.#try(webhook, delivery)
      .then((outcome) => this.#settle(webhook.id, delivery.id, outcome))
      .finally(free)

    const done = sent.then(
      () => this.#running.delete(id) && this.look(),
      (err: unknown) => {
        // Retry with the timer: an immediate retry would send the same message over and over.
        this.#running.delete(id)
        this.deps.log.error({ err }, 'cannot save how a webhook was delivered')
      },
    )

    this.#running.set(id, done)
  }

  /** Returns the time until the next due message, in ms. */
  #untilNext(now: number): number {
    const { queue } = this.deps
    const times = this.#inTurn()
      .filter((webhook) => webhook.isOn && !this.#running.has(webhook.id))
      .map(({ id, restsUntil }) => {
        const [next] = queue.waiting(id)
        if (!next) return Infinity
        return Math.max(
          restsUntil === null ? 0 : Date.parse(restsUntil),
          Date.parse(next.nextTryAt),
        )
      })
    return Math.min(Math.max(Math.min(...times) - now, 1000), LOOK_MS)
  }

  #try(webhook: WebhookRecord, delivery: DeliveryRecord): Promise<Outcome & { tookMs: number }> {
    const { sources, mayReach, origin, version } = this.deps
    const begun = sources.elapsed()
    const now = sources.now()

    const request = writeRequest(webhook, delivery, { origin: origin(), version, now })
    const trying = attempt(request, { mayReach, signal: this.#closing.signal, now })

    return trying.then((outcome) => {
      const tookMs = Math.round(sources.elapsed() - begun)
      this.#slots.noteSpeed(toReceiver(webhook), tookMs)
      return { ...outcome, tookMs }
    })
  }

  /** Saves an automatic attempt. A webhook or message that was deleted during it stays deleted. */
  async #settle(webhookId: string, id: string, outcome: Outcome & { tookMs: number }) {
    const { library, store, queue, sources, onTurnedOff, log } = this.deps
    if (this.#closing.signal.aborted && outcome.error !== null) return

    const off = await library.transact((tx) => {
      const webhook = store.find(webhookId)
      const delivery = queue.find(webhookId, id)
      if (webhook?.isOn !== true || delivery?.state !== 'waiting') return undefined

      const now = sources.now()
      const after = judge({ webhook, delivery }, outcome, now)
      const tried = { ...after.delivery, lastTry: toTry(outcome, now) }

      store.put(tx, after.webhook)
      if (after.webhook.isOn) return queue.put(tx, tried)
      queue.giveUp(tx, webhookId, tried)
      return after.webhook
    })

    if (!off) return

    log.info({ webhookId, reason: off.offReason }, 'turned off a webhook')
    onTurnedOff(off)
  }

  async #sendByHand(webhook: WebhookRecord, delivery: DeliveryRecord): Promise<DeliveryRecord> {
    const { library, queue, store, sources } = this.deps
    const { id } = webhook
    if (this.#byHand.has(id))
      throw new AppError('in_progress', 'This webhook sends a message right now. Try again then')

    this.#byHand.add(id)

    try {
      const outcome = await this.#try(webhook, delivery)
      const saved = await library.transact((tx) => {
        const current = queue.find(id, delivery.id) ?? delivery

        const isDone = outcome.error === null
        const state = isDone
          ? 'delivered'
          : current === delivery && current.tries === 0
            ? 'failed'
            : current.state

        const tried: DeliveryRecord = {
          ...current,
          tries: current.tries + 1,
          state,
          lastTry: toTry(outcome, sources.now()),
        }

        const now = store.find(id)
        if (now) queue.put(tx, tried)
        // The receiver works again: do not delay the waiting messages.
        if (now && isDone && now.failures > 0)
          store.put(tx, { ...now, failures: 0, restsUntil: null })
        return tried
      })

      this.look()
      return saved
    } finally {
      this.#byHand.delete(id)
    }
  }
}

/** What is known of the speed of a webhook concerns it alone. */
const toReceiver = ({ id, ownerId }: WebhookRecord): Receiver => ({ id, ownerId, server: id })

const toTry = (
  { status, error, reply, tookMs }: Outcome & { tookMs: number },
  at: Date,
): DeliveryRecord['lastTry'] => ({
  at: at.toISOString(),
  status,
  error,
  reply,
  tookMs,
})
