import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { CopiedPart } from '../records/file-records'
import { BucketError } from './bucket-error'
import type { ObjectAbout, S3Calls, UploadedPart } from './s3-calls'

/*
 * A multipart upload of S3, by which everything larger than one part goes into a bucket.
 *
 * The store gives the upload an id, takes its parts by number, and makes the object when it gets
 * the list of their ETags. Until then the object cannot be read, and its parts cost money: an
 * upload that is neither completed nor aborted is found later by a sweep of unfinished uploads.
 *
 * A part is hashed before it is sent, and the store refuses it unless its bytes have that MD5. So
 * each part is read once for the digest and once for the request, or kept in memory. While one part
 * is sent, the next one is read.
 *
 * Three things may happen between two steps:
 * - A part has arrived, and its answer has not. `resume` compares what the store has with what was
 *   written down: by the ETag that was written down, or by the MD5, which most stores use as ETag.
 * - The object was made, and the answer was lost. Stores then have different errors for the next
 *   try, so after any error of a completion the object itself is looked up.
 * - The object exists, and is not what was sent. Its ETag follows from the MD5s of the parts in
 *   most stores; in the others it is read back once. An object that differs is deleted.
 */

/**
 * The amount that is sent again after a lost connection, in bytes. Files of 2 GB then have 128
 * parts; S3 allows 10,000.
 */
export const PART_BYTES = 16 * 1024 * 1024

/** The bytes of one part, with their digest. */
export interface Part {
  length: number
  md5: Buffer
  /** A new stream of the bytes, for each attempt. */
  open: () => Readable
}

/** Reads a part from its place in the file. */
export type PartSource = (start: number, length: number) => Promise<Part>

/** Makes a call again while the store is briefly away, or makes it once. */
export type Attempt = <T>(call: () => Promise<T>) => Promise<T>

const once: Attempt = (call) => call()

type Calls = Pick<S3Calls, 'begin' | 'putPart' | 'complete' | 'abort' | 'head' | 'hash' | 'remove'>

/** An upload that has begun, and the parts that the store has acknowledged. */
export interface WrittenParts {
  uploadId: string
  parts: readonly CopiedPart[]
}

interface Options {
  /** What to note of the object. */
  about?: ObjectAbout
  signal?: AbortSignal
  attempt?: Attempt
  /** Whether to read the next part while one is sent. */
  mayReadAhead?: () => boolean
  /**
   * Called when the upload has begun, and after each sent part; `sent`: how many bytes are there.
   */
  onPart?: ((written: WrittenParts, sent: number) => Promise<void> | void) | undefined
}

/** What an object must be after it was sent. */
interface ExpectedObject {
  key: string
  size: number
  /** In most stores. */
  etag: string
  /** Computes the SHA-256 of what was sent, where the ETag says nothing. */
  hashSource: () => Promise<string> | string
}

/** Writes one object in parts; each call throws BucketError, or the reason of the signal. */
export class MultipartWriter {
  #uploadId: string | undefined
  #sentBytes = 0
  readonly #parts: CopiedPart[] = []
  /** Of an earlier attempt: the parts that were written down, and those that the store has. */
  #earlier: readonly CopiedPart[] = []
  #stored: ReadonlyMap<number, UploadedPart> = new Map()
  readonly #attempt: Attempt

  /** Sends nothing yet. */
  constructor(
    private readonly calls: Calls,
    private readonly key: string,
    private readonly options: Options = {},
  ) {
    this.#attempt = options.attempt ?? once
  }

  get sentBytes(): number {
    return this.#sentBytes
  }

  /** Continues an upload of which the store has these parts: none of them is sent again. */
  resume({ uploadId, parts }: WrittenParts, stored: ReadonlyMap<number, UploadedPart>): void {
    this.#uploadId = uploadId
    this.#earlier = parts
    this.#stored = stored
  }

  /** Sends the bytes up to `end` in parts. Only the last part of the object may be a short one. */
  async send(source: PartSource, end: number): Promise<void> {
    const read = (start: number) => source(start, Math.min(PART_BYTES, end - start))
    let ahead: Promise<Part> | undefined
    try {
      while (this.#sentBytes < end) {
        const part = await (ahead ?? read(this.#sentBytes))

        const next = this.#sentBytes + part.length
        ahead = next < end && this.options.mayReadAhead?.() !== false ? read(next) : undefined
        // A failure is that of the next part.
        ahead?.catch(() => undefined)

        await this.#send(part)
      }
    } finally {
      // The caller may close the file.
      await ahead?.catch(() => undefined)
    }
  }

  /**
   * Makes the object, and proves that it has the bytes.
   */
  async finish(hashSource: ExpectedObject['hashSource']): Promise<{ etag: string }> {
    const uploadId = await this.#begin()
    const etags = this.#parts.map(({ etag }) => etag)
    const complete = () => this.calls.complete(this.key, uploadId, etags, this.options.signal)
    const failure = await this.#attempt(complete).then(
      () => undefined,
      (cause: unknown) => cause as Error,
    )

    const { key } = this
    const expected = { key, size: this.#sentBytes, etag: computeEtag(this.#parts), hashSource }
    const etag = await proveObject(this.calls, expected, { ...this.options, failure })
    this.#uploadId = undefined
    return { etag }
  }

  /** Ends an unfinished upload. One that stays is found by the sweep of unfinished uploads. */
  async abort(): Promise<void> {
    if (this.#uploadId === undefined) return
    await this.calls.abort(this.key, this.#uploadId).catch(() => undefined)
  }

  async #begin(): Promise<string> {
    if (this.#uploadId !== undefined) return this.#uploadId
    const { about, signal } = this.options
    const uploadId = await this.#attempt(() => this.calls.begin(this.key, about, signal))
    this.#uploadId = uploadId
    await this.#report(uploadId)
    return uploadId
  }

  async #send(part: Part): Promise<void> {
    const { signal } = this.options
    const uploadId = await this.#begin()
    signal?.throwIfAborted()

    const md5 = part.md5.toString('hex')
    const etagOfStored = this.#findStored(part.length, md5)
    const target = { key: this.key, uploadId, number: this.#parts.length + 1 }
    const etag = etagOfStored ?? (await sendPart(this.calls, target, part, this.#attempt, signal))

    this.#parts.push({ md5, etag })
    this.#sentBytes += part.length
    if (etagOfStored === undefined) await this.#report(uploadId)
  }

  /** The ETag of the next part, if the store has it. */
  #findStored(size: number, md5: string): string | undefined {
    const index = this.#parts.length
    const stored = this.#stored.get(index + 1)
    if (stored?.size !== size) return undefined
    const noted = this.#earlier[index]
    const isNoted = noted?.md5 === md5 && noted.etag === stored.etag
    return isNoted || stored.etag === `"${md5}"` ? stored.etag : undefined
  }

  async #report(uploadId: string): Promise<void> {
    await this.options.onPart?.({ uploadId, parts: [...this.#parts] }, this.#sentBytes)
  }
}

/** Sends one part of an upload, and returns its ETag. */
export function sendPart(
  calls: Pick<S3Calls, 'putPart'>,
  { key, uploadId, number }: { key: string; uploadId: string; number: number },
  { length, md5, open }: Part,
  attempt: Attempt,
  signal?: AbortSignal,
): Promise<string> {
  return attempt(() => {
    // The SDK pipes it, and a pipe leaves errors to its owner.
    const body = open().on('error', () => undefined)
    const part = { uploadId, number, body, length, md5 }
    return calls.putPart(key, part, signal).finally(() => body.destroy())
  })
}

/**
 * Returns the ETag of an object that is what was sent. Deletes one that differs, unless sending has
 * failed: then it is an earlier one, and the failure is thrown.
 */
export async function proveObject(
  calls: Pick<S3Calls, 'head' | 'hash' | 'remove'>,
  { key, size, etag, hashSource }: ExpectedObject,
  { about, signal, attempt = once, failure }: Options & { failure?: Error | undefined },
): Promise<string> {
  const head = await attempt(() => calls.head(key, signal)).catch((cause: unknown) => {
    throw failure ?? cause
  })

  if (head?.size === size && (about === undefined || head.sha256 === about.sha256)) {
    if (head.etag === etag) return etag
    const sha256 = await attempt(() => calls.hash(key, size, signal))
    if (sha256 === (await hashSource())) return head.etag
  }

  if (failure !== undefined) throw failure
  await calls.remove(key)
  throw new BucketError('rejected', 'The stored object differs from what was sent')
}

/** Computes an object's ETag as S3 does, unless it encrypts with its own keys. */
export function computeEtag(parts: readonly Pick<CopiedPart, 'md5'>[]): string {
  const digests = createHash('md5')
  for (const { md5 } of parts) digests.update(md5, 'hex')
  return `"${digests.digest('hex')}-${parts.length}"`
}
