import { hashOfToken, newLinkToken } from '../../access/link-token'
import { linkEnded } from '../../access/link-ended'
import { openText, sealText } from '../../access/sealed-text'
import { SUBSCRIBERS_MAX } from '../../contract'
import { DAY_MS, type Sources } from '../../core/clock'
import { AppError } from '../../core/errors'
import type {
  Collection,
  Index,
  Library,
  Transaction,
  UniqueIndex,
} from '../../data/library/library'
import type { NoticeTarget, NoticeWay, SubscriberRecord } from '../../data/records/notice-records'
import type { NoticeQueue } from './notice-queue'

/** How long the link in the first mail confirms an address, in ms. */
const CONFIRM_MS = DAY_MS
/** How long an address that nobody confirms stays known, so that it is not asked again. */
const UNCONFIRMED_MS = 7 * DAY_MS
/** The most first mails to an address in that time. Strangers can enter any address. */
const MOST_FIRST_MAILS = 3
/** The most unconfirmed addresses of a project. */
const MOST_UNCONFIRMED = 200

interface Wish {
  projectId: string
  target: NoticeTarget
  way: NoticeWay
  /** The path of the page where the person asks, whose secret the links of notices need. */
  page: string
}

/** The mail addresses and browsers of people without an account that get notices. */
export class SubscriberStore {
  readonly #subscribers: Collection<SubscriberRecord>
  readonly #byHash: UniqueIndex<SubscriberRecord>
  readonly #byKey: UniqueIndex<SubscriberRecord>
  readonly #byTarget: Index<SubscriberRecord>
  readonly #byProject: Index<SubscriberRecord>
  readonly #unconfirmed: Index<SubscriberRecord>

  constructor(
    private readonly library: Library,
    private readonly deps: { sources: Sources; sessionKeys: readonly string[]; queue: NoticeQueue },
  ) {
    this.#subscribers = library.collection('subscribers')
    this.#byHash = this.#subscribers.uniqueIndex((it) => it.tokenHash)
    this.#byKey = this.#subscribers.uniqueIndex(keyOf)
    this.#byTarget = this.#subscribers.index(({ target }) => targetKey(target))
    this.#byProject = this.#subscribers.index((it) => it.projectId)
    this.#unconfirmed = this.#subscribers.index((it) =>
      it.confirmedAt === undefined ? placeOf(it.way) : undefined,
    )
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
    return this.library.transact((tx) => {
      const known = this.#byKey.get(keyOf(wish))
      if (known && (isConfirmed(known) || this.#isRecent(known, CONFIRM_MS))) return
      const asked = this.#unconfirmed
        .get(placeOf(wish.way))
        .filter((it) => this.#isRecent(it, UNCONFIRMED_MS))
      if (asked.length >= MOST_FIRST_MAILS) return

      if (!known) this.#requireRoom(wish.projectId)
      const subscriber = this.#put(tx, wish, known?.id)
      const { id: subscriberId, projectId } = subscriber
      this.deps.queue.add(tx, { way: 'mail', subscriberId, projectId, news: { kind: 'confirm' } })
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

  /** Ends the notices of a link at once. Does nothing if they have ended. */
  async end(token: string): Promise<void> {
    await this.library.transact((tx) => {
      const found = this.#byHash.get(hashOfToken(token))
      if (found) this.remove(tx, found.id)
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

  /** Removes the subscribers of a tester link, report or request that is deleted. */
  forgetTarget(tx: Transaction, target: NoticeTarget): void {
    for (const { id } of [...this.#byTarget.get(targetKey(target))]) this.remove(tx, id)
  }

  /** Forgets the addresses that nobody confirmed in a week. */
  async sweep(): Promise<void> {
    const old = [...this.#subscribers.values()].filter(
      (it) => !isConfirmed(it) && !this.#isRecent(it, UNCONFIRMED_MS),
    )
    if (old.length === 0) return
    await this.library.transact((tx) => {
      for (const { id } of old) this.remove(tx, id)
    })
  }

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
    return subscriber
  }

  #requireRoom(projectId: string): void {
    const all = this.#byProject.get(projectId)
    const confirmed = all.filter(isConfirmed).length
    if (confirmed >= SUBSCRIBERS_MAX || all.length - confirmed >= MOST_UNCONFIRMED) {
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

const targetKey = ({ kind, id }: NoticeTarget): string => `${kind} ${id}`

/** Where notices go. Mailboxes ignore case. */
const placeOf = (way: NoticeWay): string =>
  way.kind === 'mail' ? way.address.toLowerCase() : way.endpoint

const keyOf = ({ target, way }: Pick<SubscriberRecord, 'target' | 'way'>): string =>
  `${targetKey(target)} ${placeOf(way)}`
