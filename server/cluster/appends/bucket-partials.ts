import { DAY_MS } from '../../core/clock'
import type { BlobDraft, PublishedBlob } from '../../data/blobs/drafts'
import { blobOf, newBlobId } from '../../data/blobs/blob-names'
import {
  UploadLostError,
  type InBucket,
  type PartialUploads,
  type AppendOptions,
  type AppendWriter,
  type UploadBytes,
} from '../../data/blobs/blob-store'
import { BucketError, nullIfRejected } from '../../data/bucket/bucket-error'
import { PART_BYTES } from '../../data/bucket/multipart-writer'
import { BucketAppend } from './bucket-append'
import { BLOBS, keyOf, UPLOADS, type BlobBucket } from '../blob-bucket'
import { retry } from '../../data/bucket/retry'
import { blobOfPiece } from './tail'
import { AppendDigests } from './append-digests'

/**
 * A part or piece without a record is deleted after this, in ms: the record of a running request
 * may follow.
 */
const LEFT_MS = 7 * DAY_MS
/** A listing costs money and time. In ms, a little less than a day. */
const SWEEP_EVERY_MS = DAY_MS - 3_600_000
/** How long a host that starts asks the store about each upload, in ms. */
const LOOK_MS = 2000

/** A crash in the middle of an append costs the client at most the bytes of this time, in ms. */
const SAFE_EVERY_MS = 5000

interface Deps {
  blobBucket: Pick<BlobBucket, 'calls' | 'objects'>
  /** A folder of this host for files that come and go. */
  dir: string
  now: () => Date
  /** Most stores accept no parts below 5 MiB. */
  partBytes?: number
  safeEveryMs?: number
}

/**
 * Uploads in a multipart upload of a bucket, whose object is the blob: to complete it is to publish
 * it. Parts cover fixed places; bytes behind the full ones are in pieces of their own. The record
 * names both, so any host can resume it.
 */
export class BucketPartials implements PartialUploads {
  /** The digests of uploads that this process has received from their first byte. */
  readonly #digests = new Map<string, AppendDigests>()
  readonly #appends = new Map<string, BucketAppend>()
  #sweptAt: number | undefined

  constructor(private readonly deps: Deps) {}

  /** One part is sent while the next one fills. */
  bytesHere(size: number): number {
    return Math.min(size, 2 * (this.deps.partBytes ?? PART_BYTES))
  }

  async create(): Promise<{ blobId: string; inBucket: InBucket }> {
    const blobId = newBlobId()
    const uploadId = await retry(() => this.deps.blobBucket.calls.begin(keyOf(blobId), undefined))
    return { blobId, inBucket: { uploadId, parts: [], tail: [] } }
  }

  async write(upload: UploadBytes, options: AppendOptions): Promise<AppendWriter> {
    const { blobId, offset } = upload
    const inBucket = requireState(upload)
    const earlier = this.#digests.get(blobId)
    const digests =
      offset === 0 ? new AppendDigests() : earlier?.offset === offset ? earlier : undefined
    const record = (reached: AppendDigests | undefined) => this.#keepDigests(blobId, reached)
    const deps = { partBytes: PART_BYTES, safeEveryMs: SAFE_EVERY_MS, ...this.deps, record }
    const append = new BucketAppend(deps, { ...upload, inBucket }, digests, options)
    this.#appends.set(blobId, append)
    return append
  }

  accept(upload: UploadBytes): void {
    const append = this.#appends.get(upload.blobId)
    this.#appends.delete(upload.blobId)
    if (append) this.#keepDigests(upload.blobId, append.accept(upload))
  }

  draft(upload: UploadBytes): Pick<BlobDraft, 'publish'> {
    return { publish: (check = () => undefined) => this.#publish(upload, check) }
  }

  /** A store that does not answer has lost nothing. */
  async isLost(upload: UploadBytes): Promise<boolean> {
    const { blobId, size, inBucket } = upload
    if (inBucket === undefined) return true

    const { calls } = this.deps.blobBucket
    const signal = AbortSignal.timeout(LOOK_MS)

    try {
      const stored = await calls.listParts(keyOf(blobId), inBucket.uploadId, signal)
      // It may have been published, and its record not have been written.
      if (stored === undefined) return (await calls.head(keyOf(blobId), signal))?.size !== size
      if (!hasParts(stored, inBucket.parts)) return true

      const pieces = await Promise.all(
        inBucket.tail.map(({ name }) => calls.head(`${UPLOADS}${name}`, signal)),
      )
      return pieces.includes(undefined)
    } catch {
      return false
    }
  }

  /** The sweep finds what a failure leaves. */
  async remove({ blobId, inBucket }: UploadBytes): Promise<void> {
    const { calls } = this.deps.blobBucket
    this.#appends.get(blobId)?.removePieces()
    this.#appends.delete(blobId)
    this.#digests.delete(blobId)
    if (inBucket === undefined) return
    const removing = [calls.abort(keyOf(blobId), inBucket.uploadId), calls.remove(keyOf(blobId))]
    await Promise.allSettled([
      ...removing,
      ...inBucket.tail.map(({ name }) => calls.remove(`${UPLOADS}${name}`)),
    ])
  }

  async sweep(find: (blobId: string) => UploadBytes | undefined): Promise<void> {
    const now = this.deps.now().getTime()
    if (this.#sweptAt !== undefined && now - this.#sweptAt < SWEEP_EVERY_MS) return
    this.#sweptAt = now

    const { calls } = this.deps.blobBucket

    // `slipway cluster init` has warned of a store that does not list unfinished uploads.
    await this.#endLeft(find, now).catch(nullIfRejected)

    for await (const { key, at } of calls.list(UPLOADS)) {
      const blobId = blobOfPiece(key)
      if (blobId === undefined || this.#appends.has(blobId)) continue
      const isWanted =
        find(blobId)?.inBucket?.tail.some(({ name }) => `${UPLOADS}${name}` === key) ?? false
      if (!isWanted && now - at.getTime() > LEFT_MS) await calls.remove(key)
    }
  }

  /** Ends multipart uploads without a record. */
  async #endLeft(find: (blobId: string) => UploadBytes | undefined, now: number): Promise<void> {
    const { calls } = this.deps.blobBucket
    for await (const { key, uploadId, at } of calls.uploads(BLOBS)) {
      const blobId = blobOf(key.slice(BLOBS.length))
      const isWanted = blobId === undefined || find(blobId)?.inBucket?.uploadId === uploadId
      if (!isWanted && now - at.getTime() > LEFT_MS) await calls.abort(key, uploadId)
    }
  }

  async #publish(upload: UploadBytes, check: (sha256: string) => void): Promise<PublishedBlob> {
    const { blobId, size } = upload
    const { calls } = this.deps.blobBucket
    const key = keyOf(blobId)
    const digests = this.#digests.get(blobId)
    const received = digests?.offset === size ? digests : undefined

    // Check before publishing: the client may have announced another digest.
    if (received) check(received.sha256())

    await this.#complete(key, size, requireState(upload))
    const head = await retry(() => calls.head(key))
    if (head?.size !== size) throw new UploadLostError()

    const isProven = received !== undefined && head.etag === received.etag()
    const sha256 = isProven ? received.sha256() : await retry(() => calls.hash(key, size))
    if (received && sha256 !== received.sha256()) throw new UploadLostError()
    check(sha256)

    this.#digests.delete(blobId)
    return { blobId, size, sha256 }
  }

  /** An earlier try, also of another host, may have done it. */
  async #complete(key: string, size: number, { uploadId, parts }: InBucket): Promise<void> {
    const { calls } = this.deps.blobBucket
    try {
      await retry(() => calls.complete(key, uploadId, parts))
    } catch (cause) {
      // Stores have different errors for an upload that is complete: the object itself says so.
      const head = await retry(() => calls.head(key)).catch(() => undefined)
      if (head?.size === size) return

      if (!(cause instanceof BucketError && cause.kind === 'rejected')) throw cause
      // A host that was replaced may have overwritten a part.
      const stored = await retry(() => calls.listParts(key, uploadId))
      throw hasParts(stored, parts) ? cause : new UploadLostError()
    }
  }

  #keepDigests(blobId: string, digests: AppendDigests | undefined): void {
    if (digests) this.#digests.set(blobId, digests)
    else this.#digests.delete(blobId)
  }
}

const hasParts = (
  stored: ReadonlyMap<number, { etag: string }> | undefined,
  etags: readonly string[],
): boolean =>
  stored !== undefined && etags.every((etag, index) => stored.get(index + 1)?.etag === etag)

function requireState({ inBucket }: UploadBytes): InBucket {
  // One that began on the disk of a host before it joined a cluster.
  if (inBucket === undefined) throw new UploadLostError()
  return inBucket
}
