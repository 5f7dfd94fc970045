import { requireLinkEnd } from '../../access/link-terms'
import { hashOfToken, newLinkToken } from '../../access/link-token'
import { TESTER_DAYS, TESTERS_MAX } from '../../contract'
import { AppError, notFound } from '../../core/errors'
import { DAY_MS, type Sources } from '../../core/clock'
import type {
  Collection,
  Index,
  Library,
  Transaction,
  UniqueIndex,
} from '../../data/library/library'
import type { TesterRecord } from '../../data/records/project-records'
import { splitToken } from './program-key'

/** The fields of a link that a person can change. */
type TesterFields = Pick<TesterRecord, 'name' | 'channel' | 'passwordHash'> & {
  expiresAt?: string | undefined
}

type Change = { [Name in keyof TesterFields]: TesterFields[Name] | undefined }

/** The most tester links of an account. */
const MAX_OWNED = 2000

/** The tester links of all projects. Those of a trashed project stay, but open nothing. */
export class TesterStore {
  readonly #testers: Collection<TesterRecord>
  readonly #byHash: UniqueIndex<TesterRecord>
  readonly #byProject: Index<TesterRecord>
  readonly #owned: { get(userId: string): number }

  constructor(
    private readonly library: Library,
    private readonly sources: Sources,
  ) {
    this.#testers = library.collection('testers')
    this.#byHash = this.#testers.uniqueIndex((tester) => tester.tokenHash)
    this.#byProject = this.#testers.index((tester) => tester.projectId)

    this.#owned = this.#testers.count((tester) => tester.ownerId)
  }

  /** Lists the links of a project, newest first, including expired ones. */
  ofProject(projectId: string): TesterRecord[] {
    return [...this.#byProject.get(projectId)].reverse()
  }

  find(projectId: string, id: string): TesterRecord | undefined {
    const tester = this.#testers.get(id)
    return tester?.projectId === projectId ? tester : undefined
  }

  /** Finds the link with this token, with or without a key for programs, unless it has expired. */
  opened(segment: string): TesterRecord | undefined {
    const tester = this.#byHash.get(hashOfToken(splitToken(segment).token))
    return tester && this.isActive(tester) ? tester : undefined
  }

  isActive({ expiresAt }: Pick<TesterRecord, 'expiresAt'>): boolean {
    return Date.parse(expiresAt) > this.sources.now().getTime()
  }

  /** Whether the link of a request still gives the same access. */
  holds({ id, channel, passwordHash }: TesterRecord): boolean {
    const now = this.#testers.get(id)
    return (
      now !== undefined &&
      this.isActive(now) &&
      now.channel === channel &&
      now.passwordHash === passwordHash
    )
  }

  /** Returns the token, which is not stored. Throws `invalid_input` and `too_many_records`. */
  async create(
    project: Readonly<Record<'id' | 'ownerId', string>>,
    { expiresAt, ...fields }: TesterFields,
  ): Promise<{ token: string; tester: TesterRecord }> {
    const token = newLinkToken()
    const tester = await this.library.transact((tx) => {
      if (this.#byProject.get(project.id).length >= TESTERS_MAX) {
        const message =
          `A project can have ${TESTERS_MAX} tester links. ` +
          'Revoke links that you no longer need'
        throw new AppError('too_many_records', message)
      }
      if (this.#owned.get(project.ownerId) >= MAX_OWNED) {
        const message =
          `An account can have ${MAX_OWNED} tester links. ` + 'Revoke links that you no longer need'
        throw new AppError('too_many_records', message)
      }

      const now = this.sources.now()
      const usual = new Date(now.getTime() + TESTER_DAYS.usual * DAY_MS).toISOString()
      const base = { id: this.sources.newId(), projectId: project.id, ownerId: project.ownerId }
      const made = {
        tokenHash: hashOfToken(token),
        createdAt: now.toISOString(),
        expiresAt: expiresAt ?? usual,
      }

      const record: TesterRecord = { ...base, ...fields, ...made }
      requireLinkEnd(record.expiresAt, now)
      tx.put(this.#testers, record.id, record)
      return record
    })

    return { token, tester }
  }

  /**
   * Changes a link. Undefined keeps a value. Throws `not_found` and `invalid_input`.
   */
  change(id: string, { name, channel, passwordHash, expiresAt }: Change): Promise<TesterRecord> {
    return this.library.transact((tx) => {
      const current = this.#testers.get(id)
      if (!current) throw notFound('Tester link')
      const changed: TesterRecord = {
        ...current,
        name: name ?? current.name,
        channel: channel ?? current.channel,
        passwordHash: passwordHash === undefined ? current.passwordHash : passwordHash,
        expiresAt: expiresAt ?? current.expiresAt,
      }

      if (changed.expiresAt !== current.expiresAt)
        requireLinkEnd(changed.expiresAt, this.sources.now())
      tx.put(this.#testers, id, changed)
      return changed
    })
  }

  /** Revokes a link. Throws `not_found`. */
  remove(tx: Transaction, id: string): void {
    if (!this.#testers.has(id)) throw notFound('Tester link')
    tx.delete(this.#testers, id)
  }
}
