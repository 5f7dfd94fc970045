import { TRASH_DAYS } from '../../contract'
import { DAY_MS } from '../../core/clock'
import type { Collection, Index, Library, Transaction } from '../../data/library/library'
import type { TrustedClock } from '../../data/library/trusted-clock'
import { blobsIn, filesIn, type TrashRecord } from '../../data/records/trash-record'

type TrashKind = TrashRecord['kind']
type TrashValue<Kind extends TrashKind> = Extract<TrashRecord, { kind: Kind }>['value']

export type NewTrashRecord = TrashRecord extends infer R
  ? R extends TrashRecord
    ? Omit<R, 'deletedAt'>
    : never
  : never

/** The items of a deleted account that one transaction forgets. */
const ERASED_AT_ONCE = 100

/** Restores or permanently deletes a kind of item. */
interface Restorer<T extends object> {
  restore(tx: Transaction, value: T): void
  /** Removes related data, in the transaction that permanently deletes the item. */
  purge(tx: Transaction, value: T): void
  /** Frees the bytes, after that transaction. */
  erase(value: T): Promise<void>
}

interface TrashDeps {
  library: Library
  clock: Pick<TrustedClock, 'now' | 'stamp'>
  limit(userId: string): number
  mostProjects(): number
}

/**
 * Deleted items, restorable for 7 days. They neither count against the quota nor can be downloaded.
 *
 * Items of a deleted account (`withAccount`) belong to it alone: they are in no list and no sum,
 * and neither time nor a full disk evicts them.
 */
export class Trash {
  readonly #records: Collection<TrashRecord>
  readonly #byOwner: Index<TrashRecord>
  readonly #byAccount: Index<TrashRecord>
  readonly #byBlob: Index<TrashRecord>
  readonly #byFile: Index<TrashRecord>
  readonly #held: { get(userId: string): number }
  readonly #projects: { get(userId: string): number }
  readonly #all: { get(group: string): number }
  readonly #restorers = new Map<TrashKind, Restorer<object>>()

  constructor(private readonly deps: TrashDeps) {
    this.#records = deps.library.collection('trash')
    this.#byOwner = this.#records.index((it) => (it.withAccount ? undefined : it.ownerId))
    this.#byAccount = this.#records.index((it) => (it.withAccount ? it.ownerId : undefined))

    this.#held = this.#records.sum(
      (record) => record.ownerId,
      (record) => (record.withAccount ? 0 : record.size),
    )

    this.#projects = this.#records.sum(
      (record) => record.ownerId,
      (record) => (record.kind === 'project' && !record.withAccount ? 1 : 0),
    )

    this.#all = this.#records.sum(
      () => 'all',
      (record) => (blobsIn(record).length === 0 || record.withAccount ? 0 : record.size),
    )

    this.#byBlob = this.#records.indexMany(blobsIn)
    this.#byFile = this.#records.indexMany((record) => filesIn(record).map(({ id }) => id))
  }

  /** Sets the restorer of a kind, once at startup. */
  register<Kind extends TrashKind>(kind: Kind, restorer: Restorer<TrashValue<Kind>>): void {
    this.#restorers.set(kind, restorer)
  }

  find(id: string): TrashRecord | undefined {
    return this.#records.get(id)
  }

  /** Newest first. */
  ownedBy(userId: string): TrashRecord[] {
    return [...this.#byOwner.get(userId)].sort((a, b) => b.deletedAt.localeCompare(a.deletedAt))
  }

  holdsBlob(blobId: string): boolean {
    return this.#byBlob.get(blobId).length > 0
  }

  /** Whether restoring an item would restore this file to its owner. */
  holdsFile(fileId: string, ownerId: string): boolean {
    return this.#byFile.get(fileId).some((record) => record.ownerId === ownerId)
  }

  /** When an item is permanently deleted, as a UTC ISO string. */
  expiresAt({ deletedAt }: TrashRecord): string {
    return new Date(Date.parse(deletedAt) + TRASH_DAYS * DAY_MS).toISOString()
  }

  /**
   * Trashes an item in the transaction that deletes it, and evicts the owner's oldest items beyond
   * the limits. Returns those: call `erase` once the transaction is on disk.
   */
  put(tx: Transaction, record: NewTrashRecord): TrashRecord[] {
    const { id, ownerId, kind, size } = record
    tx.put(this.#records, id, { ...record, deletedAt: this.deps.clock.stamp().toISOString() })

    let bytes = this.#held.get(ownerId) + size - this.deps.limit(ownerId)
    let projects =
      kind === 'project' ? this.#projects.get(ownerId) + 1 - this.deps.mostProjects() : 0
    if (bytes <= 0 && projects <= 0) return []

    const outgrown: TrashRecord[] = []
    // Keep the newest item, so that a deletion can be undone even after a downgrade.
    for (const old of this.ownedBy(ownerId).reverse()) {
      if (bytes <= 0 && (projects <= 0 || old.kind !== 'project')) continue
      this.#drop(tx, old)
      outgrown.push(old)
      bytes -= old.size
      if (old.kind === 'project') projects--
    }

    return outgrown
  }

  /** Trashes an item in the transaction that deletes its account. */
  putWithAccount(tx: Transaction, record: NewTrashRecord): void {
    const deletedAt = this.deps.clock.stamp().toISOString()
    tx.put(this.#records, record.id, { ...record, deletedAt, withAccount: 'live' })
  }

  /** Keeps what a user had deleted before, in the transaction that deletes the account. */
  keepWithAccount(tx: Transaction, record: TrashRecord): void {
    tx.put(this.#records, record.id, { ...record, withAccount: 'trashed' })
  }

  /** Gives a deleted item to another account, whose trash it then is in. */
  handOver(tx: Transaction, record: TrashRecord): void {
    tx.put(this.#records, record.id, record)
  }

  /** Lists the items of a deleted account. */
  ofAccount(userId: string): readonly TrashRecord[] {
    return this.#byAccount.get(userId)
  }

  /** Restores the items of an account in the transaction that restores it. */
  restoreAccount(tx: Transaction, userId: string): void {
    for (const { withAccount, ...record } of this.ofAccount(userId)) {
      if (withAccount === 'trashed') tx.put(this.#records, record.id, record)
      else {
        this.#restorer(record).restore(tx, record.value)
        tx.delete(this.#records, record.id)
      }
    }
  }

  /**
   * Permanently deletes the items of an account, the bytes first: a crash leaves a record, by which
   * the next start goes on, and never an orphan, which would stay for a week.
   */
  async eraseAccount(userId: string): Promise<void> {
    for (let batch; (batch = this.ofAccount(userId).slice(0, ERASED_AT_ONCE)).length > 0;) {
      for (const record of batch) await this.#restorer(record).erase(record.value)
      const erased = batch
      await this.deps.library.transact((tx) => erased.forEach((record) => this.#drop(tx, record)))
    }
    await this.deps.library.lookForRoom()
  }

  /** Frees the bytes of evicted items. After a failure, startup sets the remains aside. */
  async erase(records: readonly TrashRecord[]): Promise<void> {
    await Promise.allSettled(records.map((record) => this.#restorer(record).erase(record.value)))
  }

  /** Restores an item. `check` runs in the transaction and can reject it. */
  async restore(record: TrashRecord, check: () => void): Promise<void> {
    await this.deps.library.transact((tx) => {
      if (!this.#records.has(record.id)) return
      check()
      this.#restorer(record).restore(tx, record.value)
      tx.delete(this.#records, record.id)
    })
  }

  /**
   * Permanently deletes an item: the record first, so that a crash leaves an orphan and never a
   * record without bytes.
   */
  async purge(record: TrashRecord): Promise<void> {
    const isThere = await this.deps.library.transact((tx) => {
      if (!this.#records.has(record.id)) return false
      this.#drop(tx, record)
      return true
    })
    if (!isThere) return
    await this.#restorer(record).erase(record.value)
    await this.deps.library.lookForRoom()
  }

  /**
   * Deletes items older than 7 days, and the oldest of users whose trash exceeds their limit, but
   * not the newest one, as `put` keeps it.
   */
  async sweep(): Promise<void> {
    const now = this.deps.clock.now().toISOString()
    for (const record of this.#oldestFirst()) {
      const { ownerId } = record
      const isTooMuch = this.#held.get(ownerId) > this.deps.limit(ownerId)
      const hasOthers = this.#byOwner.get(ownerId).length > 1
      if (this.expiresAt(record) <= now || (isTooMuch && hasOthers)) await this.purge(record)
    }
  }

  /** Bytes on disk that emptying the trash would free. */
  get bytes(): number {
    return this.#all.get('all')
  }

  /** Permanently deletes until `bytes` are free: the oldest items of this user, then of all. */
  async makeRoom(bytes: number, userId: string): Promise<void> {
    let freed = 0

    const oldest = this.#oldestFirst()
    const own = oldest.filter((it) => it.ownerId === userId)
    const others = oldest.filter((it) => it.ownerId !== userId)

    for (const record of own.concat(others)) {
      if (freed >= bytes) return
      if (blobsIn(record).length === 0) continue
      await this.purge(record)
      freed += record.size
    }
  }

  #drop(tx: Transaction, record: TrashRecord): void {
    tx.delete(this.#records, record.id)
    this.#restorer(record).purge(tx, record.value)
  }

  #oldestFirst(): TrashRecord[] {
    return [...this.#records.values()]
      .filter(({ withAccount }) => withAccount === undefined)
      .sort((a, b) => a.deletedAt.localeCompare(b.deletedAt))
  }

  #restorer({ kind }: TrashRecord): Restorer<object> {
    const restorer = this.#restorers.get(kind)
    if (!restorer) throw new Error(`A ${kind} cannot be restored`)
    return restorer
  }
}
