import type { SessionRecords } from '../../http/pipeline/sessions'
import type { Collection, FollowUp, Index, Library, Transaction } from '../../data/library/library'
import type { RecordActivity } from '../../data/library/activity-deltas'
import { RecordChange } from '../../data/library/record-change'
import type { ProviderSession, SessionRecord, UserRecord } from '../../data/records/account-records'

/** The sessions of all users, in the library. `recordActivity`: stores their use elsewhere. */
export class SessionStore implements SessionRecords {
  readonly #sessions: Collection<SessionRecord>
  readonly #byUser: Index<SessionRecord>

  constructor(
    private readonly library: Library,
    private readonly most: () => number,
    private readonly recordActivity?: RecordActivity,
  ) {
    this.#sessions = library.collection('sessions')
    this.#byUser = this.#sessions.index((record) => record.userId)

    // In the change itself: a crash in between would leave the sessions of a thief.
    const endSessions: FollowUp = (tx, ops) => {
      for (const [user, before] of new RecordChange(ops, library).puts('users'))
        if (before && endsSessions(user, before)) this.drop(tx, user.id)
    }
    library.follow('sessions', endSessions, 'users')
  }

  find(id: string): SessionRecord | undefined {
    return this.#sessions.get(id)
  }

  /** Adds a session and ends the user's oldest ones beyond the limit. */
  add(record: SessionRecord): Promise<void> {
    return this.library.transact((tx) => {
      const oldest = this.#byUser
        .get(record.userId)
        .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
      const excess = Math.max(0, oldest.length + 1 - this.most())
      for (const { id } of oldest.slice(0, excess)) tx.delete(this.#sessions, id)
      tx.put(this.#sessions, record.id, record)
    })
  }

  async touch(id: string, lastSeenAt: string): Promise<void> {
    if (this.recordActivity)
      return this.recordActivity({ kind: 'session_seen', sessionId: id, at: lastSeenAt })
    await this.library.transact((tx) => {
      const record = this.#sessions.get(id)
      if (record && record.lastSeenAt < lastSeenAt)
        tx.put(this.#sessions, id, { ...record, lastSeenAt })
    })
  }

  async prove(id: string, provedAt: string): Promise<void> {
    await this.library.transact((tx) => {
      const record = this.#sessions.get(id)
      if (record) tx.put(this.#sessions, id, { ...record, provedAt })
    })
  }

  async removeManage(id: string): Promise<void> {
    await this.library.transact((tx) => {
      const record = this.#sessions.get(id)
      if (!record) return
      const { manage: _, ...rest } = record
      tx.put(this.#sessions, id, rest)
    })
  }

  managing(): SessionRecord[] {
    return [...this.#sessions.values()]
      .filter(({ manage }) => manage !== undefined)
      .sort((a, b) => (a.manage?.since ?? '').localeCompare(b.manage?.since ?? ''))
  }

  ofUser(userId: string): readonly SessionRecord[] {
    return this.#byUser.get(userId)
  }

  async removeAll(userId: string): Promise<void> {
    await this.library.transact((tx) => this.drop(tx, userId))
  }

  dropOthers(tx: Transaction, { id, userId }: SessionRecord, provedAt?: string): void {
    this.drop(tx, userId, id)
    const record = this.#sessions.get(id)
    if (record && provedAt !== undefined) tx.put(this.#sessions, id, { ...record, provedAt })
  }

  /** Removes the sessions of a user but for one, if given. */
  drop(tx: Transaction, userId: string, exceptId?: string): void {
    for (const { id } of [...this.#byUser.get(userId)])
      if (id !== exceptId) tx.delete(this.#sessions, id)
  }

  /** Removes the sessions that a provider of single sign-on began. Returns whose they were. */
  dropOfProvider(tx: Transaction, isEnded: (provider: ProviderSession) => boolean): string[] {
    const ended = [...this.#sessions.values()].filter(
      ({ provider }) => provider !== undefined && isEnded(provider),
    )
    for (const { id } of ended) tx.delete(this.#sessions, id)
    return [...new Set(ended.map(({ userId }) => userId))]
  }

  async remove(id: string): Promise<void> {
    if (!this.#sessions.has(id)) return
    await this.library.transact((tx) => tx.delete(this.#sessions, id))
  }

  async sweep(isAlive: (record: SessionRecord) => boolean): Promise<void> {
    const ended = [...this.#sessions.values()].filter((record) => !isAlive(record))
    if (ended.length === 0) return
    await this.library.transact((tx) => {
      for (const { id } of ended) tx.delete(this.#sessions, id)
    })
  }
}

/** Whether a change of an account ends its sessions: a new password, or that it is disabled. */
const endsSessions = (after: UserRecord, before: UserRecord) =>
  after.passwordHash !== before.passwordHash ||
  (after.disabledAt !== null && before.disabledAt === null)
