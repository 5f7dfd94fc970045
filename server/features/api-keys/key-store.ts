import { randomBytes } from 'node:crypto'
import type { Allowance } from '../../access/allowance'
import type { KeyGrant } from '../../access/actor'
import { scopes } from '../../contract'
import type { Collection, Index, Library, UniqueIndex } from '../../data/library/library'
import type { RecordActivity } from '../../data/library/activity-deltas'
import { DAY_MS, MINUTE_MS, type Sources } from '../../core/clock'
import { sha256Of } from '../../core/sha256'
import type { ApiKeyRecord } from '../../data/records/account-records'

/** All rights of the owner, except for managing keys and sessions. */
const EVERYTHING: KeyGrant = { scopes, projectId: null }

/** The API keys, stored as hashes. `recordActivity`: stores their use elsewhere. */
export class ApiKeyStore {
  readonly #keys: Collection<ApiKeyRecord>
  readonly #byHash: UniqueIndex<ApiKeyRecord>
  readonly #byOwner: Index<ApiKeyRecord>

  constructor(
    private readonly library: Library,
    private readonly sources: Sources,
    private readonly allowance: Allowance,
    private readonly recordActivity?: RecordActivity,
  ) {
    this.#keys = library.collection('apiKeys')
    this.#byHash = this.#keys.uniqueIndex((key) => key.hash)
    this.#byOwner = this.#keys.index((key) => key.ownerId)
  }

  find(id: string): ApiKeyRecord | undefined {
    return this.#keys.get(id)
  }

  ownedBy(userId: string): ApiKeyRecord[] {
    return [...this.#byOwner.get(userId)].reverse()
  }

  status({ revokedAt, expiresAt }: ApiKeyRecord): 'active' | 'revoked' | 'expired' {
    if (revokedAt !== null) return 'revoked'
    return expiresAt !== null && Date.parse(expiresAt) <= this.sources.now().getTime()
      ? 'expired'
      : 'active'
  }

  /**
   * Creates a key of `apk_` and 256 random bits. Its value is not stored. Throws
   * `too_many_records`.
   */
  async create(
    ownerId: string,
    name: string,
    expiresDays: number | null,
    grant: KeyGrant = EVERYTHING,
  ): Promise<{ key: string; record: ApiKeyRecord }> {
    const key = `apk_${randomBytes(32).toString('base64url')}`
    const now = this.sources.now()

    const record: ApiKeyRecord = {
      id: this.sources.newId(),
      ownerId,
      name,
      hash: hashOf(key),
      createdAt: now.toISOString(),
      expiresAt:
        expiresDays === null ? null : new Date(now.getTime() + expiresDays * DAY_MS).toISOString(),
      lastUsedAt: null,
      revokedAt: null,
      ...grant,
    }

    await this.library.transact((tx) => {
      this.allowance.records('api_keys_per_account', this.#byOwner.get(ownerId).length)
      tx.put(this.#keys, record.id, record)
    })

    return { key, record }
  }

  async revoke(record: ApiKeyRecord): Promise<ApiKeyRecord> {
    if (record.revokedAt !== null) return record
    return this.#save({ ...record, revokedAt: this.sources.now().toISOString() })
  }

  async remove(id: string): Promise<void> {
    await this.library.transact((tx) => tx.delete(this.#keys, id))
  }

  /** Returns id, user and validity of an active key, and records its use to the minute. */
  identify(
    key: string,
  ): { keyId: string; userId: string; grant: KeyGrant; holds: () => boolean } | undefined {
    const record = this.#byHash.get(hashOf(key))
    if (!record || this.status(record) !== 'active') return undefined

    this.#remember(record)
    const { id, ownerId, scopes, projectId } = record
    return {
      keyId: id,
      userId: ownerId,
      grant: { scopes, projectId },
      holds: () => this.#isActive(id),
    }
  }

  #isActive(id: string): boolean {
    const record = this.#keys.get(id)
    return record !== undefined && this.status(record) === 'active'
  }

  #remember(record: ApiKeyRecord): void {
    const minute = new Date(
      Math.floor(this.sources.now().getTime() / MINUTE_MS) * MINUTE_MS,
    ).toISOString()
    if (record.lastUsedAt === minute) return
    if (this.recordActivity) this.recordActivity({ kind: 'key_used', keyId: record.id, at: minute })
    else this.used(record.id, minute).catch(() => undefined)
  }

  /** Records the use of a key, if it still exists. */
  used(id: string, lastUsedAt: string): Promise<void> {
    return this.library.transact((tx) => {
      const current = this.#keys.get(id)
      if (current) tx.put(this.#keys, id, { ...current, lastUsedAt })
    })
  }

  async #save(record: ApiKeyRecord): Promise<ApiKeyRecord> {
    await this.library.transact((tx) => tx.put(this.#keys, record.id, record))
    return record
  }
}

const hashOf = (key: string) => sha256Of(key, 'base64url')
