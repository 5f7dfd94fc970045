import { accountOf, type Actor } from '../../access/actor'
import { isMailAddress } from '../../contract/fields'
import { routes } from '../../contract/routes'
import { HOUR_MS, MINUTE_MS, type Sources } from '../../core/clock'
import { AppError } from '../../core/errors'
import type { Library, Transaction } from '../../data/library/library'
import type { Op } from '../../data/library/library-data'
import { RecordChange } from '../../data/library/record-change'
import {
  DIGEST_MAX,
  type DigestItem,
  type NoticeRecord,
  type SubscriberRecord,
} from '../../data/records/notice-records'
import type { Happening } from '../../data/records/webhook-records'
import { findHappenings } from '../webhooks/happenings'
import type { DigestNotice, NoticeQueue } from './notice-queue'
import { isConfirmed, type SubscriberStore } from './subscriber-store'

/** The time in which the first digest collects what comes, in ms. */
const COLLECT_MS = 5 * MINUTE_MS
/** The least and the longest pause between two digests to an account, in ms. */
export const DIGEST_PAUSE_MS = { least: HOUR_MS, most: 8 * HOUR_MS }

interface Deps {
  library: Library
  sources: Pick<Sources, 'now'>
  queue: NoticeQueue
  subscribers: SubscriberStore
  /** Whether this host sends mail. */
  isOn: () => boolean
}

/**
 * Digests: mails to accounts about what waits for them in their projects and files.
 *
 * One digest at most waits for an account. It is queued in the transaction of the first item, and
 * each further item joins it in its own, so that a crash loses nothing. It names items only: what
 * they say, and whether they still wait for this person, is looked up when it is sent.
 */
export class Digests {
  constructor(private readonly deps: Deps) {}

  /** Collects from now on what comes. */
  follow(): void {
    const { library, isOn } = this.deps
    library.follow('subscribers', (tx, ops) => {
      if (isOn()) this.#collect(tx, ops)
    })
  }

  /**
   * Turns the digests of an account on or off. Its address gets a first mail with a link that
   * confirms it.
   */
  set(userId: string, isOn: boolean): Promise<void> {
    const { library, subscribers } = this.deps
    const target = { kind: 'account', id: userId } as const
    return library.transact((tx) => {
      if (!isOn) return subscribers.forgetTarget(tx, target)
      // As it is now: another request may have changed it.
      const address = library.collection('users').get(userId)?.email ?? ''
      if (!isMailAddress(address))
        throw new AppError(
          'invalid_input',
          'No mail can be sent to your email address',
          'email_digest',
        )
      subscribers.ask(tx, { target, way: { kind: 'mail', address }, page: routes.account })
    })
  }

  /**
   * Removes what an account has looked at from its digest. The next look repeats it where nothing
   * can be saved.
   */
  noteLook(actor: Actor, kind: 'report' | 'request', projectId: string): void {
    const userId = accountOf(actor)
    const isPerson = 'credential' in actor && actor.credential === 'session'
    if (userId === undefined || !isPerson) return

    const isLeft = (item: DigestItem) => item.kind !== kind || this.#projectOf(item) !== projectId
    const find = () => {
      const subscriber = this.deps.subscribers.ofAccount(userId)
      const notice = subscriber && this.deps.queue.digestTo(subscriber.id)
      return notice && !notice.news.items.every(isLeft) ? notice : undefined
    }

    if (!find()) return
    void this.deps.library
      .transact((tx) => {
        const notice = find()
        if (notice) this.#keep(tx, notice, notice.news.items.filter(isLeft))
      })
      .catch(() => undefined)
  }

  /** Queues what came while a digest was sent, in the change that removes it. */
  keepRest(tx: Transaction, written: NoticeRecord, to?: SubscriberRecord): void {
    const { queue, subscribers } = this.deps
    const { subscriberId = '', news: sent } = written
    const waiting = queue.digestTo(subscriberId)
    const subscriber = to ?? subscribers.find(subscriberId)
    if (sent.kind !== 'digest' || waiting?.id !== written.id || !subscriber) return

    const keys = new Set(sent.items.map(keyOf))
    const items = waiting.news.items.filter((item) => !keys.has(keyOf(item)))
    if (items.length > 0) this.#add(tx, subscriber, items)
  }

  #collect(tx: Transaction, ops: readonly Op[]): void {
    const { library, queue, subscribers } = this.deps
    const found = new Map<string, DigestItem[]>()
    for (const [userId, item] of findItems(ops, library))
      found.set(userId, [...(found.get(userId) ?? []), item])

    for (const [userId, items] of found) {
      const subscriber = subscribers.ofAccount(userId)
      if (!subscriber || !isConfirmed(subscriber)) continue

      const waiting = queue.digestTo(subscriber.id)
      if (waiting) this.#keep(tx, waiting, [...waiting.news.items, ...items])
      else this.#add(tx, subscriber, distinct(items))
    }
  }

  #add(tx: Transaction, subscriber: SubscriberRecord, items: DigestItem[]): void {
    const { queue, sources } = this.deps
    queue.add(tx, {
      ...{ way: 'mail', subscriberId: subscriber.id },
      news: { kind: 'digest', items },
      notBefore: findDue(subscriber, sources.now()),
    })
  }

  #keep(tx: Transaction, notice: DigestNotice, items: readonly DigestItem[]): void {
    const kept = distinct(items)
    if (kept.length === 0) this.deps.queue.remove(tx, notice.id)
    else if (kept.length !== notice.news.items.length)
      this.deps.queue.put(tx, { ...notice, news: { ...notice.news, items: kept } })
  }

  #projectOf({ kind, id }: DigestItem): string | undefined {
    const { library } = this.deps
    if (kind === 'report') return library.collection('reports').get(id)?.projectId
    return library.collection('accessRequests').get(id)?.projectId
  }
}

const keyOf = ({ kind, id }: DigestItem): string => `${kind} ${id}`

/** The first ones: a digest that is full grows no more. */
const distinct = (items: readonly DigestItem[]): DigestItem[] =>
  [...new Map(items.map((item) => [keyOf(item), item])).values()].slice(0, DIGEST_MAX)

/** The people for whom a change brings something, before it applies. */
function* findItems(ops: readonly Op[], library: Library): Iterable<[string, DigestItem]> {
  for (const happening of findHappenings(ops, library)) {
    const item = itemOf(happening)
    const project = item && library.collection('projects').get(happening.projectId)
    if (!project) continue
    for (const userId of [project.ownerId, ...project.collaboratorIds]) yield [userId, item]
  }

  // Webhooks hear of those only whose request names a project.
  const change = new RecordChange(ops, library)
  if (change.isRestore) return
  for (const [{ id, ownerId, received }, before] of change.puts('files'))
    if (!before && received) yield [ownerId, { kind: 'file', id }]
}

const itemOf = ({ report, access }: Happening): DigestItem | undefined => {
  if (report) return { kind: 'report', id: report.id }
  return access && { kind: 'request', id: access.id }
}

/** When the next digest may be sent, at the earliest. */
function findDue({ digest }: SubscriberRecord, now: Date): string {
  const first = now.getTime() + COLLECT_MS
  const free = digest ? Date.parse(digest.sentAt) + digest.pauseMs : first
  // The clock may have been set back.
  const most = now.getTime() + DIGEST_PAUSE_MS.most
  return new Date(Math.min(Math.max(first, free), most)).toISOString()
}

/** What a subscriber keeps of a digest: each that follows at once doubles the pause. */
export function noteDigest({ digest }: SubscriberRecord, now: Date) {
  const { least, most } = DIGEST_PAUSE_MS
  const isSoon = digest && now.getTime() - Date.parse(digest.sentAt) < 2 * digest.pauseMs
  const pauseMs = isSoon ? Math.min(2 * digest.pauseMs, most) : least
  return { digest: { sentAt: now.toISOString(), pauseMs } }
}
