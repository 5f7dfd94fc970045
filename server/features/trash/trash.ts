import { TRASH_DAYS } from '../../contract'
import { DAY_MS } from '../../core/clock'
import type { Collection, Index, Library, Transaction, UniqueIndex } from '../../data/library/library'
import type { TrustedClock } from '../../data/library/trusted-clock'

type TrashKind = 'file' | 'project'

export interface TrashRecord {
  /** The id of what was deleted. */
  id: string
  kind: TrashKind
  ownerId: string
  /** The filename or the title. */
  name: string
  /** Bytes that deleting for good frees. */
  size: number
  /** The blob that must stay while this can be restored; null: none. */
  blobId: string | null
  deletedAt: string
  /** What its store needs to bring it back. */
  value: object
}

/** How what was put into the trash comes back, and how it goes for good. */
interface Restorer<T extends object> {
  restore(tx: Transaction, value: T): void
  /** Removes what else is known of it, in the transaction that deletes it for good. */
  purge(tx: Transaction, value: T): void
  /** Frees its bytes, after that. */
  erase(value: T): Promise<void>
}

interface TrashDeps {
  library: Library
  clock: Pick<TrustedClock, 'now' | 'stamp'>
  /** The bytes that the trash of a user may hold at most. */
  limit(userId: string): number
  /** How many projects the trash of a user may hold. */
  mostProjects(): number
}

/** What was deleted, restorable for 7 days. It neither counts against the quota nor can anybody reach it. */
export class Trash {
  readonly #records: Collection<TrashRecord>
  readonly #byOwner: Index<TrashRecord>
  readonly #byBlob: UniqueIndex<TrashRecord>
  /** Bytes that the trash of each user holds. */
  readonly #held: { get(userId: string): number }
  /** Projects in the trash of each user. */
  readonly #projects: { get(userId: string): number }
  readonly #all: { get(group: string): number }
  readonly #restorers = new Map<TrashKind, Restorer<object>>()

  constructor(private readonly deps: TrashDeps) {
    this.#records = deps.library.collection<TrashRecord>('trash')
    this.#byOwner = this.#records.index((record) => record.ownerId)
    this.#held = this.#records.sum(
      (record) => record.ownerId,
      (record) => record.size,
    )
    this.#projects = this.#records.sum(
      (record) => record.ownerId,
      (record) => (record.kind === 'project' ? 1 : 0),
    )
    this.#all = this.#records.sum(
      () => 'all',
      (record) => (record.blobId === null ? 0 : record.size),
    )
    this.#byBlob = this.#records.uniqueIndex((record) => record.blobId ?? undefined)
  }

  /** Says who restores things of a kind; done once for each, where the stores are built. */
  register<T extends object>(kind: TrashKind, restorer: Restorer<T>): void {
    this.#restorers.set(kind, restorer)
  }

  find(id: string): TrashRecord | undefined {
    return this.#records.get(id)
  }

  /** Newest first. */
  ownedBy(userId: string): TrashRecord[] {
    return [...this.#byOwner.get(userId)].sort((a, b) => b.deletedAt.localeCompare(a.deletedAt))
  }

  /** Whether something in the trash needs the blob. */
  holdsBlob = (blobId: string): boolean => this.#byBlob.get(blobId) !== undefined

  /** When it is deleted for good, as a UTC ISO string. */
  expiresAt({ deletedAt }: TrashRecord): string {
    return new Date(Date.parse(deletedAt) + TRASH_DAYS * DAY_MS).toISOString()
  }

  /**
   * Puts something into the trash, in the transaction that deletes it, and takes out the oldest that then outgrows the
   * owner's quota or number of projects. Answers that: `erase` frees its bytes once the transaction is on disk.
   */
  put(tx: Transaction, record: Omit<TrashRecord, 'deletedAt'>): TrashRecord[] {
    const { id, ownerId, kind, size } = record
    tx.put(this.#records, id, { ...record, deletedAt: this.deps.clock.stamp().toISOString() })
    let bytes = this.#held.get(ownerId) + size - this.deps.limit(ownerId)
    let projects = kind === 'project' ? this.#projects.get(ownerId) + 1 - this.deps.mostProjects() : 0
    if (bytes <= 0 && projects <= 0) return []
    const outgrown: TrashRecord[] = []
    // What was deleted last stays, so that it can be undone even where a tier was lowered.
    for (const old of this.ownedBy(ownerId).reverse()) {
      if (bytes <= 0 && (projects <= 0 || old.kind !== 'project')) continue
      this.#drop(tx, old)
      outgrown.push(old)
      bytes -= old.size
      if (old.kind === 'project') projects--
    }
    return outgrown
  }

  /** Frees the bytes of what was taken out. What a failure leaves, the next start sets aside as orphans. */
  async erase(records: readonly TrashRecord[]): Promise<void> {
    await Promise.allSettled(records.map((record) => this.#restorer(record).erase(record.value)))
  }

  /** Brings it back. `check` runs in the same moment; what it throws changes nothing. */
  async restore(record: TrashRecord, check: () => void): Promise<void> {
    await this.deps.library.transact((tx) => {
      if (!this.#records.has(record.id)) return
      check()
      this.#restorer(record).restore(tx, record.value)
      tx.delete(this.#records, record.id)
    })
  }

  /** Deletes for good: the record first, so that a crash leaves an orphan and never a record without bytes. */
  async purge(record: TrashRecord): Promise<void> {
    const isThere = await this.deps.library.transact((tx) => {
      if (!this.#records.has(record.id)) return false
      this.#drop(tx, record)
      return true
    })
    if (isThere) await this.#restorer(record).erase(record.value)
  }

  /** Deletes what is older than 7 days, and the oldest of those whose quota has become smaller than their trash. */
  async sweep(): Promise<void> {
    const now = this.deps.clock.now().toISOString()
    for (const record of this.#oldestFirst()) {
      const held = this.#held.get(record.ownerId)
      if (this.expiresAt(record) <= now || held > this.deps.limit(record.ownerId)) await this.purge(record)
    }
  }

  /** Bytes on the disk that emptying all of it would free. */
  get bytes(): number {
    return this.#all.get('all')
  }

  /** Deletes for good until `bytes` are free: the oldest things of this user, then the oldest of all. */
  async makeRoom(bytes: number, userId: string): Promise<void> {
    let freed = 0
    const oldest = this.#oldestFirst()
    const own = oldest.filter((it) => it.ownerId === userId)
    const others = oldest.filter((it) => it.ownerId !== userId)
    for (const record of own.concat(others)) {
      if (freed >= bytes) return
      if (record.blobId === null) continue
      await this.purge(record)
      freed += record.size
    }
  }

  #drop(tx: Transaction, record: TrashRecord): void {
    tx.delete(this.#records, record.id)
    this.#restorer(record).purge(tx, record.value)
  }

  #oldestFirst(): TrashRecord[] {
    return [...this.#records.values()].sort((a, b) => a.deletedAt.localeCompare(b.deletedAt))
  }

  #restorer({ kind }: TrashRecord): Restorer<object> {
    const restorer = this.#restorers.get(kind)
    if (!restorer) throw new Error(`A ${kind} cannot be restored`)
    return restorer
  }
}
