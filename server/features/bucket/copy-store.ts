import { DAY_MS, type Clock } from '../../core/clock'
import { sha256Of } from '../../core/sha256'
import type { Collection, Index, Library, Transaction } from '../../data/library/library'
import type { CopiedPart, CopyRecord } from '../../data/records/file-records'
import { nextState, type CopyEvent } from './copy-states'

export type CopyOfFile = Pick<CopyRecord, 'fileId' | 'filename' | 'size' | 'sha256'> & {
  blobId: string
}

type Trouble = 'damaged' | 'late' | 'failed'

/**
 * What the owner should know about a copy. `late`: it could not be deleted yet. `failed`: copying
 * has failed for a day. Undefined: nothing.
 */
export function findTrouble({ state, failingSince }: CopyRecord, now: Date): Trouble | undefined {
  if (state === 'damaged') return state
  if (failingSince === null) return undefined
  if (state === 'revoking') return 'late'
  const isLong = now.getTime() - Date.parse(failingSince) >= DAY_MS
  return state === 'copying' && isLong ? 'failed' : undefined
}

/** Whether this is the whole copy of the file, in this place. */
export const isWholeCopy = (
  copy: CopyRecord | undefined,
  file: { sha256: string },
  place: string | undefined,
): boolean => copy?.state === 'there' && copy.sha256 === file.sha256 && copy.place === place

/** Copies are forgotten in transactions of this many. */
const BATCH = 1000

/** The fields of a record while no part of the copy is in the bucket. */
const NOTHING_SENT = { uploadId: null, parts: [], etag: null, failingSince: null }

/** Names a bucket and prefix in records, in 12 characters. */
export const placeOf = (choice: { endpoint: string; bucket: string; prefix: string }): string =>
  sha256Of(JSON.stringify([choice.endpoint, choice.bucket, choice.prefix]), 'base64url').slice(
    0,
    12,
  )

/**
 * The records of the copies in the bucket. The disk stays the truth: a lost record only means
 * copying again.
 */
export class CopyStore {
  readonly #records: Collection<CopyRecord>
  readonly #byState: Index<CopyRecord>
  readonly #counts: { get(state: string): number }
  readonly #bytes: { get(state: string): number }

  constructor(
    private readonly library: Library,
    private readonly clock: Pick<Clock, 'now'>,
  ) {
    this.#records = library.collection('mirrored')

    this.#byState = this.#records.index((record) => record.state)
    this.#counts = this.#records.count((record) => record.state)
    this.#bytes = this.#records.sum(
      (record) => record.state,
      (record) => record.size,
    )
  }

  find(blobId: string): CopyRecord | undefined {
    return this.#records.get(blobId)
  }

  /** The state of a copy as the owner of the file sees it; null: there is no copy. */
  stateOf(blobId: string): CopyRecord['state'] | Trouble | null {
    const copy = this.find(blobId)
    return copy === undefined ? null : (findTrouble(copy, this.clock.now()) ?? copy.state)
  }

  all(): CopyRecord[] {
    return [...this.#records.values()]
  }

  /** Ordered by when they were first copied. */
  inState(state: CopyRecord['state']): readonly CopyRecord[] {
    return this.#byState.get(state)
  }

  count(state: CopyRecord['state']): number {
    return this.#counts.get(state)
  }

  bytes(state: CopyRecord['state']): number {
    return this.#bytes.get(state)
  }

  /**
   * The id of any whole copy, each time another, so that a probe soon finds that a bucket was
   * emptied.
   */
  someCopy(): string | undefined {
    const copies = this.inState('there')
    return copies[Math.floor(Math.random() * copies.length)]?.id
  }

  /**
   * Whether a bucket other than `place` has copies or parts of them. A record without an upload has
   * left nothing there: people correct the name of a bucket that does not exist.
   */
  isElsewhere(place: string): boolean {
    return this.all().some(
      (copy) => copy.place !== place && (copy.state !== 'copying' || copy.uploadId !== null),
    )
  }

  get size(): number {
    return this.#records.size
  }

  /** Returns the record of a copy that begins or resumes; undefined: it is in another state. */
  begin(
    { blobId, fileId, filename, size, sha256 }: CopyOfFile,
    place: string,
  ): Promise<CopyRecord | undefined> {
    return this.library.transact((tx) => {
      const existing = this.find(blobId)
      if (existing?.state === 'copying') return existing
      if (existing !== undefined) return undefined

      const about = { id: blobId, fileId, filename, size, sha256, place }
      return this.#put(tx, { ...about, ...NOTHING_SENT }, 'copying')
    })
  }

  /**
   * Keeps the progress of a copy, so that a restart resumes it. It is one small record for each
   * part of 16 MiB.
   */
  async keepParts(
    blobId: string,
    uploadId: string | null,
    parts: readonly CopiedPart[],
  ): Promise<void> {
    const progress = { uploadId, parts: [...parts], failingSince: null }
    await this.#change(blobId, 'copying', progress)
  }

  /** Records that a copy is whole. False: it was revoked while the bucket completed it. */
  finish(blobId: string, etag: string): Promise<boolean> {
    return this.#apply(blobId, 'finish', { ...NOTHING_SENT, etag })
  }

  /** Records that the bytes on disk are not those of the upload. */
  damage(blobId: string): Promise<boolean> {
    return this.#apply(blobId, 'damage', NOTHING_SENT)
  }

  /** Ends the copy: no address is given out from now on. */
  revoke(blobId: string): Promise<boolean> {
    return this.#apply(blobId, 'revoke', { parts: [], failingSince: null })
  }

  /** Forgets a copy that the bucket has lost. */
  lose(blobId: string): Promise<boolean> {
    return this.#apply(blobId, 'lose')
  }

  /** Records since when the bucket refuses; it writes nothing while nothing changes. */
  async recordFailure(blobId: string): Promise<void> {
    const copy = this.find(blobId)
    if (!copy || copy.failingSince !== null) return
    await this.#change(blobId, copy.state, { failingSince: this.clock.now().toISOString() })
  }

  /** Deletes the records of copies that the bucket has no longer, or that it keeps without us. */
  async forget(blobIds: readonly string[]): Promise<void> {
    for (let first = 0; first < blobIds.length; first += BATCH) {
      const batch = blobIds.slice(first, first + BATCH)
      await this.library.transact((tx) => {
        for (const blobId of batch) this.#move(tx, blobId, 'remove')
      })
    }
  }

  /** Changes the record of a copy that is still in this state. */
  async #change(blobId: string, state: CopyRecord['state'], change: Partial<CopyRecord>) {
    await this.library.transact((tx) => {
      const copy = this.find(blobId)
      if (copy?.state === state) tx.put(this.#records, blobId, { ...copy, ...change })
    })
  }

  #apply(blobId: string, event: CopyEvent, change?: Partial<CopyRecord>): Promise<boolean> {
    return this.library.transact((tx) => this.#move(tx, blobId, event, change))
  }

  /** False: the event does not concern the copy in its state. */
  #move(tx: Transaction, blobId: string, event: CopyEvent, change?: Partial<CopyRecord>): boolean {
    const copy = this.find(blobId)
    const state = copy && nextState(copy.state, event)
    if (copy === undefined || state === undefined) return false

    if (state === 'none') tx.delete(this.#records, blobId)
    else this.#put(tx, { ...copy, ...change }, state)
    return true
  }

  #put(
    tx: Transaction,
    copy: Omit<CopyRecord, 'state' | 'at'>,
    state: CopyRecord['state'],
  ): CopyRecord {
    const record = { ...copy, state, at: this.clock.now().toISOString() }
    tx.put(this.#records, copy.id, record)
    return record
  }
}
