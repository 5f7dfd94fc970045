import { createHmac } from 'node:crypto'
import { hashOfToken, newLinkToken } from '../../access/link-token'
import { linkEnded } from '../../access/link-ended'
import { openText, sealText } from '../../access/sealed-text'
import { BROWSERS_MAX, SUBSCRIBERS_MAX } from '../../contract'
import { DAY_MS, type Sources } from '../../core/clock'
import { AppError } from '../../core/errors'
import type {
  Collection,
  Index,
  Library,
  Transaction,
  UniqueIndex,
} from '../../data/library/library'
import {
  TOLD_KEPT,
  type NoticeTarget,
  type NoticeWay,
  type SubscriberRecord,
} from '../../data/records/notice-records'
import type { NoticeQueue } from './notice-queue'

/** How long the link in the first mail confirms an address, in ms. */
const CONFIRM_MS = DAY_MS
/** How long an address that nobody confirms stays known, and first mails to it count. */
const UNCONFIRMED_MS = 7 * DAY_MS
/** The most first mails to an address in that time. Strangers can enter any address. */
const MOST_FIRST_MAILS = 3
/** The beginning of the names of the counters of first mails. */
const FIRST_MAILS = 'first-mail:'
/** The most unconfirmed addresses of a project. */
const MOST_UNCONFIRMED = 200

interface Wish {
  /** Undefined: of an account. */
  projectId?: string
  target: NoticeTarget
  way: NoticeWay
  /** The path of the page where the person asks, whose secret the links of notices need. */
  page: string
}

/** The same of a browser. */
export type BrowserWish = Wish & { target: { kind: keyof typeof BROWSERS_MAX } }

/** The mail addresses and browsers that get notices. */
export class SubscriberStore {
  readonly #subscribers: Collection<SubscriberRecord>
  readonly #byHash: UniqueIndex<SubscriberRecord>
  readonly #byKey: UniqueIndex<SubscriberRecord>
  readonly #byTarget: Index<SubscriberRecord>
  readonly #byProject: Index<SubscriberRecord>

  constructor(
    private readonly library: Library,
    private readonly deps: { sources: Sources; sessionKeys: readonly string[]; queue: NoticeQueue },
  ) {
    this.#subscribers = library.collection('subscribers')
    this.#byHash = this.#subscribers.uniqueIndex((it) => it.tokenHash)
    this.#byKey = this.#subscribers.uniqueIndex(keyOf)
    this.#byTarget = this.#subscribers.index(({ target }) => targetKey(target))
    this.#byProject = this.#subscribers.index((it) => it.projectId)
  }

  find(id: string): SubscriberRecord | undefined {
    return this.#subscribers.get(id)
  }

  /** Lists those who get notices of a project. */
  ofProject(projectId: string): SubscriberRecord[] {
    return this.#byProject.get(projectId).filter(isConfirmed)
  }

  /** Lists those who get notices of a tester link, a report or a request. */
  ofTarget(target: NoticeTarget): SubscriberRecord[] {
    return this.#byTarget.get(targetKey(target)).filter(isConfirmed)
  }

  /** Finds what an account asked for, confirmed or not. */
  ofAccount(userId: string): SubscriberRecord | undefined {
    return this.#byTarget.get(targetKey({ kind: 'account', id: userId }))[0]
  }

  /** Whether an account gets mails; `unconfirmed`: the link in its first mail waits. */
  stateOfAccount(userId: string): 'off' | 'unconfirmed' | 'on' {
    const found = this.ofAccount(userId)
    if (!found) return 'off'
    if (isConfirmed(found)) return 'on'
    return this.#isRecent(found, CONFIRM_MS) ? 'unconfirmed' : 'off'
  }

  /**
   * Finds the subscriber of the links in its notices. The link in a first mail that nobody opened
   * in time opens nothing.
   */
  byToken(token: string): SubscriberRecord | undefined {
    const found = this.#byHash.get(hashOfToken(token))
    return found && (isConfirmed(found) || this.#isRecent(found, CONFIRM_MS)) ? found : undefined
  }

  /** The token of the links in notices, and the path of the page; undefined: other session keys. */
  linksOf({ sealedToken, sealedPage }: SubscriberRecord) {
    const { sessionKeys } = this.deps
    const [token, page] = [openText(sessionKeys, sealedToken), openText(sessionKeys, sealedPage)]
    return token === undefined || page === undefined ? undefined : { token, page }
  }

  /**
   * Adds a mail address, which gets a first mail with a link that confirms it. Does nothing for one
   * that is confirmed, or that had enough first mails: the caller does not learn which. Throws
   * `too_many_records`.
   */
  askByMail(wish: Wish): Promise<void> {
    return this.library.transact((tx) => this.ask(tx, wish))
  }

  /** Does the same in a change. */
  ask(tx: Transaction, wish: Wish): void {
    const known = this.#byKey.get(keyOf(wish))
    if (known && (isConfirmed(known) || this.#isRecent(known, CONFIRM_MS))) return
    if (!known) this.#requireRoom(wish)
    const isFree = this.#takeFirstMail(tx, wish.way)
    // An account sees that it waits for a confirmation, also where no mail is sent.
    if (!isFree && wish.target.kind !== 'account') return

    const { subscriber } = this.#put(tx, wish, known?.id)
    const { id: subscriberId, projectId } = subscriber
    if (isFree)
      this.deps.queue.add(tx, { way: 'mail', subscriberId, projectId, news: { kind: 'confirm' } })
  }

  /**
   * Adds a browser, or renews the keys of a known one. Returns the token of the links in its
   * notices. Throws `too_many_records`.
   */
  addBrowser(wish: BrowserWish): Promise<string> {
    return this.library.transact((tx) => {
      const known = this.#byKey.get(keyOf(wish))
      const links = known && this.linksOf(known)
      if (known && links) {
        this.put(tx, { ...known, way: wish.way })
        return links.token
      }

      const { kind } = wish.target
      const browsers = this.ofTarget(wish.target).filter(({ way }) => way.kind === 'push')
      if (!known && browsers.length >= BROWSERS_MAX[kind])
        throw new AppError(
          'too_many_records',
          `This ${kind === 'tester' ? 'link' : kind} notifies ${BROWSERS_MAX[kind]} browsers, ` +
            'which is the most. Stop it in one of them first',
        )
      if (!known) this.#requireRoom(wish)

      const { subscriber, token } = this.#put(tx, wish, known?.id)
      this.put(tx, { ...subscriber, confirmedAt: subscriber.askedAt })
      return token
    })
  }

  /** Confirms an address. Throws `not_found` for a link that was used or has expired. */
  async confirm(token: string): Promise<void> {
    await this.library.transact((tx) => {
      const found = this.byToken(token)
      if (!found || isConfirmed(found)) throw linkEnded()
      tx.put(this.#subscribers, found.id, { ...found, confirmedAt: this.#now().toISOString() })
    })
  }

  /**
   * Ends the notices of a link at once. An address that nobody confirmed gets no first mail for a
   * week: its owner did not want one. Does nothing if they have ended.
   */
  async end(token: string): Promise<void> {
    await this.library.transact((tx) => {
      const found = this.#byHash.get(hashOfToken(token))
      if (!found) return
      if (!isConfirmed(found))
        for (const name of this.#firstMails(found.way)) tx.setCounter(name, this.#now().getTime())
      this.remove(tx, found.id)
    })
  }

  put(tx: Transaction, subscriber: SubscriberRecord): void {
    tx.put(this.#subscribers, subscriber.id, subscriber)
  }

  /** Removes a subscriber and the notices on their way to it. */
  remove(tx: Transaction, id: string): void {
    if (this.#subscribers.has(id)) tx.delete(this.#subscribers, id)
    this.deps.queue.forgetSubscriber(tx, id)
  }

  /** Moves subscribers to another target, where they stay. Returns those who are confirmed. */
  move(tx: Transaction, from: NoticeTarget, target: NoticeTarget): SubscriberRecord[] {
    const moved = this.#byTarget.get(targetKey(from)).map((it) => ({ ...it, target }))
    for (const subscriber of moved) this.put(tx, subscriber)
    return moved.filter(isConfirmed)
  }

  /** Removes the subscribers of what is deleted. */
  forgetTarget(tx: Transaction, target: NoticeTarget): void {
    for (const { id } of [...this.#byTarget.get(targetKey(target))]) this.remove(tx, id)
  }

  /** Forgets the addresses that nobody confirmed in a week. */
  async sweep(): Promise<void> {
    const old = [...this.#subscribers.values()].filter(
      (it) => !isConfirmed(it) && !this.#isRecent(it, UNCONFIRMED_MS),
    )
    const forgotten = [...this.library.counterNames()].filter(
      (name) => name.startsWith(FIRST_MAILS) && !this.#isTaken(name),
    )
    if (old.length + forgotten.length === 0) return
    await this.library.transact((tx) => {
      for (const { id } of old) this.remove(tx, id)
      for (const name of forgotten) tx.setCounter(name, undefined)
    })
  }

  /** Counts a first mail to an address. Returns false if it had enough of them. */
  #takeFirstMail(tx: Transaction, way: NoticeWay): boolean {
    const free = this.#firstMails(way).find((name) => !this.#isTaken(name))
    if (free !== undefined) tx.setCounter(free, this.#now().getTime())
    return free !== undefined
  }

  /**
   * Returns the names of the counters with the times of first mails to an address. They outlive
   * their subscribers, which strangers can remove, and do not tell the address.
   */
  #firstMails(way: NoticeWay): string[] {
    // The oldest key: those that are added in front change no name.
    const key = this.deps.sessionKeys.at(-1) ?? ''
    const hash = createHmac('sha256', key)
      .update(`first mail ${placeOf(way)}`)
      .digest('base64url')
    return Array.from({ length: MOST_FIRST_MAILS }, (_, place) => `${FIRST_MAILS}${hash}:${place}`)
  }

  /** Whether a first mail still counts. The clock may have been set back. */
  #isTaken = (name: string): boolean =>
    Math.abs(this.#now().getTime() - this.library.counter(name)) < UNCONFIRMED_MS

  #put(tx: Transaction, { page, ...wish }: Wish, id = this.deps.sources.newId()) {
    const { sessionKeys } = this.deps
    const token = newLinkToken()
    const subscriber: SubscriberRecord = {
      ...wish,
      id,
      tokenHash: hashOfToken(token),
      sealedToken: sealText(sessionKeys, token),
      sealedPage: sealText(sessionKeys, page),
      askedAt: this.#now().toISOString(),
      refusals: 0,
    }
    tx.put(this.#subscribers, id, subscriber)
    return { subscriber, token }
  }

  #requireRoom({ projectId, way }: Wish): void {
    if (projectId === undefined) return
    const all = this.#byProject.get(projectId)
    const confirmed = all.filter(isConfirmed).length
    const isCrowded = way.kind === 'mail' && all.length - confirmed >= MOST_UNCONFIRMED
    if (confirmed >= SUBSCRIBERS_MAX || isCrowded) {
      throw new AppError(
        'too_many_records',
        'This project has as many subscribers as it may. Use its feed instead',
      )
    }
  }

  #isRecent({ askedAt }: SubscriberRecord, ms: number): boolean {
    return this.#now().getTime() - Date.parse(askedAt) < ms
  }

  #now = (): Date => this.deps.sources.now()
}

export const isConfirmed = ({ confirmedAt }: SubscriberRecord): boolean => confirmedAt !== undefined

/** Whether a subscriber got a notice of a version within a day. */
export const wasTold = ({ told = [] }: SubscriberRecord, version: string, now: Date): boolean =>
  told.some((it) => it.version === version && isToday(it.at, now))

/** What a subscriber keeps of a notice of a version: one of them a day is enough. */
export function noteTold({ told = [] }: SubscriberRecord, version: string, now: Date) {
  const at = now.toISOString()
  const others = told.filter((it) => it.version !== version && isToday(it.at, now))
  return { releaseSentAt: at, told: [{ version, at }, ...others].slice(0, TOLD_KEPT) }
}

const isToday = (at: string, now: Date): boolean => now.getTime() - Date.parse(at) < DAY_MS

const targetKey = ({ kind, id }: NoticeTarget): string => `${kind} ${id}`

/** Where notices go. Mailboxes ignore case. */
const placeOf = (way: NoticeWay): string =>
  way.kind === 'mail' ? way.address.toLowerCase() : way.endpoint

const keyOf = ({ target, way }: Pick<SubscriberRecord, 'target' | 'way'>): string =>
  `${targetKey(target)} ${placeOf(way)}`
