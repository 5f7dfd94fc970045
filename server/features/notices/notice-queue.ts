import type { Sources } from '../../core/clock'
import { Signal } from '../../core/signal'
import { compareText } from '../../core/versions'
import type { Index, Sum } from '../../data/library/indexes'
import type { Collection, Library, SortedIndex, Transaction } from '../../data/library/library'
import type { News, NoticeRecord } from '../../data/records/notice-records'

/** The most waiting notices of a project, by one way. Further ones are not queued. */
const MOST_WAITING = 2000

export type NoticeWayName = NoticeRecord['way']

/** A digest on its way. */
export type DigestNotice = NoticeRecord & { news: { kind: 'digest' } }

type NewNotice = Pick<NoticeRecord, 'way' | 'subscriberId' | 'projectId'> & {
  news: News
  /** Not before this time; undefined: now. */
  notBefore?: string | undefined
}

/**
 * The notices on their way. One is queued in the transaction of the change that it tells of, so
 * that a crash loses both or neither, and deleted once its server has taken it.
 */
export class NoticeQueue {
  /** Emitted when a notice was queued. */
  readonly added = new Signal()
  /** Mails since the start that were given up: none of them arrives. */
  dropped = 0
  readonly #notices: Collection<NoticeRecord>
  readonly #waiting: SortedIndex<NoticeRecord>
  readonly #perGroup: Sum
  readonly #bySubscriber: Index<NoticeRecord>

  constructor(
    library: Library,
    private readonly sources: Sources,
  ) {
    this.#notices = library.collection('notices')
    this.#waiting = this.#notices.sorted(
      (notice) => [groupOf(notice)],
      (a, b) => compareText(a.nextTryAt, b.nextTryAt) || compareText(a.createdAt, b.createdAt),
    )
    this.#perGroup = this.#notices.count(groupOf)
    this.#bySubscriber = this.#notices.index((notice) => notice.subscriberId)
  }

  find(id: string): NoticeRecord | undefined {
    return this.#notices.get(id)
  }

  /** The groups with waiting notices: those of one way and one project. */
  groups(way: NoticeWayName): string[] {
    return [...this.#perGroup.groups()].filter((group) => group.startsWith(`${way} `))
  }

  /** Lists the waiting notices of a group, the next one first. The list is live. */
  waiting(group: string): readonly NoticeRecord[] {
    return this.#waiting.get(group)
  }

  /** Whether a notice of a release is on its way to a subscriber. */
  hasRelease = (subscriberId: string): boolean => this.#releaseTo(subscriberId) !== undefined

  /** Finds the digest that waits for a subscriber. */
  digestTo(subscriberId: string): DigestNotice | undefined {
    return this.#bySubscriber.get(subscriberId).find(isDigest)
  }

  /** Queues a notice. A newer one of a release replaces one that still waits. */
  add(tx: Transaction, { notBefore, ...fields }: NewNotice): void {
    const { subscriberId, news } = fields
    const earlier =
      news.kind === 'release' && subscriberId !== undefined
        ? this.#releaseTo(subscriberId)
        : undefined
    if (earlier) tx.delete(this.#notices, earlier.id)
    else if (this.#perGroup.get(groupOf(fields)) >= MOST_WAITING)
      return tx.after(() => this.dropped++)

    const now = this.sources.now().toISOString()
    const id = this.sources.newId()
    const nextTryAt = notBefore !== undefined && notBefore > now ? notBefore : now
    tx.put(this.#notices, id, { ...fields, id, createdAt: now, tries: 0, nextTryAt })
    tx.after(() => this.added.emit())
  }

  put(tx: Transaction, notice: NoticeRecord): void {
    tx.put(this.#notices, notice.id, notice)
  }

  remove(tx: Transaction, id: string): void {
    if (this.#notices.has(id)) tx.delete(this.#notices, id)
  }

  /** Gives a notice up. */
  drop(tx: Transaction, id: string): void {
    this.remove(tx, id)
    tx.after(() => this.dropped++)
  }

  #releaseTo(subscriberId: string): NoticeRecord | undefined {
    return this.#bySubscriber.get(subscriberId).find((it) => it.news.kind === 'release')
  }

  /** Deletes the notices to a subscriber. */
  forgetSubscriber(tx: Transaction, id: string): void {
    for (const notice of [...this.#bySubscriber.get(id)]) tx.delete(this.#notices, notice.id)
  }
}

const isDigest = (notice: NoticeRecord): notice is DigestNotice => notice.news.kind === 'digest'

/** Each project waits for its own notices only; those of the host are one more project. */
const groupOf = ({ way, projectId = '' }: Pick<NoticeRecord, 'way' | 'projectId'>): string =>
  `${way} ${projectId}`
