import { HOUR_MS, MINUTE_MS, type Sources } from '../../core/clock'
import { endsWithin } from '../../core/deadline'
import type { Log } from '../../core/logging/log'
import type { Library, Transaction } from '../../data/library/library'
import type { NoticeRecord, SubscriberRecord } from '../../data/records/notice-records'
import { isDue, MOST_TRIES, pauseMs } from '../webhooks/retries'
import {
  RoundRobin,
  type Receiver,
  type SendingSlots,
  type Queued,
} from '../webhooks/sending-slots'
import { DIGEST_PAUSE_MS, noteDigest, type Digests } from './digests'
import type { Outcome } from './mailer'
import type { NoticeQueue, NoticeWayName } from './notice-queue'
import { noteTold, type SubscriberStore } from './subscriber-store'

/** The longest time between two checks of the queue, in ms: the clock may have been set. */
const LOOK_MS = MINUTE_MS
/** After this time a notice is no news, in ms. */
const OLD_MS = { password: HOUR_MS, confirm: 24 * HOUR_MS, others: 72 * HOUR_MS }
/** How long a stop waits for a mail server, in ms. */
const STOP_MS = 2000
/** Refusals in a row after which a subscriber is removed. */
const MOST_REFUSALS = 3
/** How many waiting notices of a project are looked at for one that may start. */
const MOST_SEEN = 100

/** One way by which notices leave. */
export interface Lane {
  /** Of concurrent notices. */
  slots: SendingSlots
  /** Whether anything can be sent at all; otherwise notices wait. */
  isOpen: () => boolean
  /** Notices per hour, beside the mails about passwords; undefined: no limit. */
  perHour?: () => number
}

type Refused = Extract<Outcome, { result: 'refused' }>

/** Sends a prepared notice. Never throws. */
export type Sending = () => Promise<Outcome>

interface SenderDeps {
  library: Library
  queue: NoticeQueue
  subscribers: SubscriberStore
  sources: Sources
  log: Pick<Log, 'info' | 'error'>
  lanes: Readonly<Record<NoticeWayName, Lane>>
  /** Writes a notice as it is now; undefined: nobody may get it any more. */
  prepare: (notice: NoticeRecord) => Promise<Sending | undefined>
  digests: Pick<Digests, 'keepRest'>
  /** The account that a project belongs to, whose slots its notices take. */
  ownerOf: (projectId: string) => string | undefined
}

/** What a lane knows of its server. It is forgotten at a restart, which then tries once. */
interface LaneState {
  failures: number
  restsUntil: number
  hourBegan: number
  sent: number
  /** Notices that its server has taken. */
  accepted: number
}

/**
 * Sends the queued notices, at least once each: by mail one at a time, by web push several.
 *
 * The steps of a notice: queued in the transaction of its cause, written when it is sent, handed to
 * its server, deleted in a second transaction that rereads it. A crash between the last two repeats
 * it under the same id. A failure that concerns the notice delays it as a webhook is delayed
 * (`retries.ts`); one that concerns the server rests the whole lane and costs no notice a try. The
 * account that waited longest is next, with that of its projects that waited longest, and the
 * notices of the host count as those of one account. `SendingSlots` keeps browsers whose servers do
 * not answer from delaying the notices of others.
 *
 * Nothing is sent while the library is read-only, because results could not be saved.
 */
export class NoticeSender {
  readonly #running = new Map<string, Promise<unknown>>()
  /** By id of the subscriber: the notices that were taken before its last refusal. */
  readonly #acceptedAt = new Map<string, number>()
  readonly #order = new RoundRobin()
  readonly #states: Record<NoticeWayName, LaneState> = { mail: newState(), push: newState() }
  readonly #closing = new AbortController()
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly deps: SenderDeps) {}

  /** Sends the notices left by the last run, and from now on what is queued. */
  start(): void {
    this.deps.queue.added.subscribe(() => this.look())
    this.look()
  }

  /** Waits a little for what is being sent. What is not sent by then stays in the queue. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#closing.abort()
    await endsWithin(STOP_MS, this.idle())
  }

  /** Resolves when nothing is being sent. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  /** Tries again at once, as after a change of the mail server. */
  wake(way: NoticeWayName): void {
    this.#states[way].restsUntil = 0
    this.look()
  }

  /** Starts the due notices. */
  look(): void {
    clearTimeout(this.#timer)
    if (this.#closing.signal.aborted) return
    const now = this.deps.sources.now().getTime()
    if (!this.deps.library.readOnly)
      for (const way of ['mail', 'push'] as const) while (this.#startOne(way, now));
    this.#timer = setTimeout(() => this.look(), this.#untilNext(now)).unref()
  }

  /** Starts the next due notice. Returns false if none is due, or its lane is busy or rests. */
  #startOne(way: NoticeWayName, now: number): boolean {
    if (!this.#mayStart(way, now)) return false

    const { lanes, queue } = this.deps
    const hasBudget = this.#hasBudget(way, now)
    const mayStart = (notice: NoticeRecord) =>
      !this.#running.has(notice.id) &&
      isDue(notice.nextTryAt, now, DIGEST_PAUSE_MS.most) &&
      lanes[way].slots.isFree(this.#receiverOf(notice))

    for (const group of this.#inTurn(way)) {
      if (!lanes[way].slots.hasRoom(group.ownerId)) continue
      const waiting = queue.waiting(group.id)
      const seen = hasBudget ? waiting.slice(0, MOST_SEEN) : waiting.filter(isOutsideBudget)
      const next = seen.find(mayStart)
      if (!next) continue
      this.#order.note(group)
      this.#start(next)
      return true
    }
    return false
  }

  /** The groups with waiting notices, the one that waited longest first. */
  #inTurn(way: NoticeWayName): Queued[] {
    const { queue } = this.deps
    const groups = queue.groups(way).map((id) => {
      const [first] = queue.waiting(id)
      return { id, ownerId: this.#ownerOf(first) }
    })
    return this.#order.sort(groups)
  }

  #ownerOf({ projectId }: Partial<NoticeRecord> = {}): string {
    return (projectId !== undefined && this.deps.ownerOf(projectId)) || ''
  }

  #receiverOf(notice: NoticeRecord): Receiver {
    const { subscriberId: id = '' } = notice
    const way = this.deps.subscribers.find(id)?.way
    const server = way?.kind === 'push' ? new URL(way.endpoint).origin : ''
    return { id, ownerId: this.#ownerOf(notice), server }
  }

  #mayStart(way: NoticeWayName, now: number): boolean {
    const lane = this.deps.lanes[way]
    const state = this.#states[way]
    return lane.isOpen() && state.restsUntil <= now && !lane.slots.isFull
  }

  #hasBudget(way: NoticeWayName, now: number): boolean {
    const state = this.#states[way]

    // The clock may have been set back.
    if (Math.abs(now - state.hourBegan) >= HOUR_MS)
      Object.assign(state, { hourBegan: now, sent: 0 })
    return state.sent < (this.deps.lanes[way].perHour?.() ?? Infinity)
  }

  #start(notice: NoticeRecord): void {
    const { id, way } = notice
    if (!isOutsideBudget(notice)) this.#states[way].sent++
    const free = this.deps.lanes[way].slots.take(this.#receiverOf(notice))

    const sent = this.#send(notice).finally(free)
    const done = sent.then(
      () => this.#running.delete(id) && this.look(),
      (err: unknown) => {
        // Retry with the timer: an immediate retry would send the same notice over and over.
        this.#running.delete(id)
        if (!this.#closing.signal.aborted)
          this.deps.log.error({ err }, 'cannot save how a notice was sent')
      },
    )
    this.#running.set(id, done)
  }

  async #send(notice: NoticeRecord): Promise<void> {
    const { library, queue, digests, lanes, log, sources } = this.deps
    if (this.#isOld(notice)) return library.transact((tx) => queue.drop(tx, notice.id))
    const send = await this.deps.prepare(notice)
    if (!send)
      return library.transact((tx) => {
        queue.remove(tx, notice.id)
        digests.keepRest(tx, notice)
      })

    const receiver = this.#receiverOf(notice)
    const begun = sources.elapsed()
    const outcome = await send()
    lanes[notice.way].slots.noteSpeed(receiver, sources.elapsed() - begun)
    this.#noteLane(notice.way, outcome)
    if ('problem' in outcome)
      log.info({ way: notice.way, result: outcome.result }, 'a notice was not taken')
    await library.transact((tx) => this.#settle(tx, notice, outcome))
  }

  /** Saves the result. A notice or subscriber that was deleted meanwhile stays deleted. */
  #settle(tx: Transaction, written: NoticeRecord, outcome: Outcome): void {
    const { queue, subscribers, digests, sources } = this.deps
    const { id } = written
    const notice = queue.find(id)
    if (!notice) return
    const now = sources.now()
    const subscriber = subscribers.find(notice.subscriberId ?? '')

    if (outcome.result === 'later') {
      if (outcome.rests) return
      const tries = notice.tries + 1
      const nextTryAt = new Date(now.getTime() + pauseMs(tries, outcome)).toISOString()
      if (tries >= MOST_TRIES) queue.drop(tx, id)
      else queue.put(tx, { ...notice, tries, nextTryAt })
      return
    }

    if (outcome.result === 'refused') queue.drop(tx, id)
    else queue.remove(tx, id)
    if (!subscriber) return

    const isSent = outcome.result === 'sent'
    const isCounted =
      outcome.result === 'refused' && this.#countsRefusal(notice.way, subscriber, outcome)
    const refusals = isSent ? 0 : subscriber.refusals + Number(isCounted)
    const hasEnded = outcome.result === 'gone' || refusals >= MOST_REFUSALS
    if (isSent || hasEnded) this.#acceptedAt.delete(subscriber.id)
    if (hasEnded) return subscribers.remove(tx, subscriber.id)

    const { news } = notice
    const noted = {
      ...subscriber,
      refusals,
      ...(isSent && news.kind === 'release' && noteTold(subscriber, news.version, now)),
      ...(isSent && news.kind === 'digest' && noteDigest(subscriber, now)),
    }
    subscribers.put(tx, noted)
    digests.keepRest(tx, written, noted)
  }

  /**
   * Whether a refusal is the fault of the address. A mail server refuses everything once its quota
   * is used up or it does not know this host: only one that took another mail since it last refused
   * this address, or that names the address, says something of it.
   */
  #countsRefusal(
    way: NoticeWayName,
    { id, refusals }: SubscriberRecord,
    outcome: Refused,
  ): boolean {
    const { accepted } = this.#states[way]
    const before = this.#acceptedAt.get(id) ?? 0
    this.#acceptedAt.set(id, accepted)
    return way !== 'mail' || outcome.isOfAddress === true || refusals === 0 || accepted > before
  }

  #noteLane(way: NoticeWayName, outcome: Outcome): void {
    const state = this.#states[way]
    if (outcome.result === 'sent') state.accepted++
    const isResting = outcome.result === 'later' && outcome.rests
    state.failures = isResting ? state.failures + 1 : 0
    state.restsUntil = isResting ? this.deps.sources.now().getTime() + pauseMs(state.failures) : 0
  }

  #isOld({ createdAt, news: { kind } }: NoticeRecord): boolean {
    const ms = kind === 'password' || kind === 'confirm' ? OLD_MS[kind] : OLD_MS.others
    return this.deps.sources.now().getTime() - Date.parse(createdAt) > ms
  }

  /** Returns the time until the next notice may be due, in ms. */
  #untilNext(now: number): number {
    const { queue } = this.deps
    const times = (['mail', 'push'] as const).flatMap((way) =>
      queue.groups(way).map((group) => {
        const next = queue.waiting(group).find(({ id }) => !this.#running.has(id))
        return next ? Math.max(Date.parse(next.nextTryAt), this.#states[way].restsUntil) : Infinity
      }),
    )
    return Math.min(Math.max(Math.min(...times) - now, 1000), LOOK_MS)
  }
}

const newState = (): LaneState => ({
  ...{ failures: 0, restsUntil: 0 },
  ...{ hourBegan: 0, sent: 0, accepted: 0 },
})

/** A person waits for the mail about a password, which few may ask for. */
const isOutsideBudget = ({ news }: NoticeRecord): boolean => news.kind === 'password'
