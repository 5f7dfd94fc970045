import { DAY_MS } from '../../core/clock'
import { blobOf, isBlobId } from '../../data/blobs/blob-names'
import type { BucketBackend } from './bucket-backend'
import { BLOBS, MARKS, type BlobBucket } from '../blob-bucket'

/**
 * Younger ones may be of an upload whose record follows, also at a host that thinks it is still the
 * primary.
 */
const LEAST_AGE_DAYS = 1
/** Time to notice a lost library and restore it from a backup. */
const WAIT_DAYS = 7

/** A listing costs money and time. In ms, a little less than a day. */
const EVERY_MS = DAY_MS - 3_600_000

interface Deps {
  blobBucket: BlobBucket
  backend: Pick<BucketBackend, 'isFresh' | 'remove'>
  now: () => Date
  /** Throws unless this host is the writer of its cluster and knows all records. */
  confirm: () => Promise<void>
}

/** Blobs without a record, each with a mark from when it was found, until they expire. */
export class BucketOrphans {
  #sweptAt: number | undefined

  constructor(private readonly deps: Deps) {}

  /**
   * Marks blobs without a record, takes the mark from those that have one again, and deletes those
   * whose mark is a week old. Returns how many were marked. Does nothing for most of a day after
   * the last time. `began`: when the library began; older blobs are never deleted.
   */
  async sweep(isReferenced: (blobId: string) => boolean, began: Date | undefined): Promise<number> {
    const { blobBucket, backend, now } = this.deps
    if (this.#sweptAt !== undefined && now().getTime() - this.#sweptAt < EVERY_MS) return 0
    this.#sweptAt = now().getTime()

    const marks = await this.#listMarks()
    const orphans = new Map<string, Date>()

    for await (const { key, at } of blobBucket.calls.list(BLOBS)) {
      const blobId = blobOf(key.slice(BLOBS.length))
      if (blobId === undefined || backend.isFresh(blobId) || isReferenced(blobId)) continue
      const isYoung = now().getTime() - at.getTime() < LEAST_AGE_DAYS * DAY_MS
      if (!isYoung) orphans.set(blobId, earlier(orphans.get(blobId), at))
    }

    await this.deps.confirm()

    let marked = 0
    for (const [blobId, at] of orphans) {
      const since = marks.get(blobId)
      if (isReferenced(blobId)) continue
      if (since === undefined) marked += await this.#mark(blobId)
      else if (this.#hasExpired(since, at, began)) await this.#delete(blobId, isReferenced)
    }

    for (const blobId of marks.keys()) if (!orphans.has(blobId)) await this.#unmark(blobId)
    return marked
  }

  #hasExpired(since: Date, at: Date, began: Date | undefined): boolean {
    if (began === undefined || at < began) return false
    return this.deps.now().getTime() - since.getTime() > WAIT_DAYS * DAY_MS
  }

  async #listMarks(): Promise<Map<string, Date>> {
    const marks = new Map<string, Date>()
    for await (const { key, at } of this.deps.blobBucket.calls.list(MARKS)) {
      const blobId = key.slice(MARKS.length)
      if (isBlobId(blobId)) marks.set(blobId, at)
    }
    return marks
  }

  async #mark(blobId: string): Promise<number> {
    await this.deps.blobBucket.objects.put(`${MARKS}${blobId}`, Buffer.alloc(0))
    return 1
  }

  async #unmark(blobId: string): Promise<void> {
    await this.deps.blobBucket.calls.remove(`${MARKS}${blobId}`)
  }

  /** Deletes the mark last, so that the next sweep finds what a crash has left. */
  async #delete(blobId: string, isReferenced: (blobId: string) => boolean): Promise<void> {
    await this.deps.confirm()
    if (isReferenced(blobId)) return
    await this.deps.backend.remove(blobId)
    await this.#unmark(blobId)
  }
}

const earlier = (one: Date | undefined, other: Date): Date =>
  one !== undefined && one < other ? one : other
