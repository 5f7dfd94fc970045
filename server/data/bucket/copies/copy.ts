import { createHash } from 'node:crypto'
import type { ByteSource } from '../../../core/byte-source'
import { attachment } from '../../../core/net/attachment'
import { BucketError, DamagedError } from '../bucket-error'
import { sendPaced, type SendPace } from './send-paced'
import type { ObjectAbout, S3Calls, UploadedPart } from '../s3-calls'
import type { CopiedPart } from '../../records/file-records'

/** How far a copy is: plain data that survives restarts. */
export interface CopyState {
  uploadId?: string
  parts: readonly CopiedPart[]
}

/** A blob, and what to say of it. */
export interface Source {
  blobId: string
  size: number
  sha256: string
  filename: string
  /** Its media type. */
  type: string
  /**
   * Names the host in the metadata, so that another one with the same prefix leaves the copy alone.
   */
  owner: string
  open: () => Promise<ByteSource>
  /**
   * Copies the blob inside the store, where the bucket has it under another key; undefined: send
   * the bytes.
   */
  copyInside?: ((about: ObjectAbout, signal: AbortSignal) => Promise<void>) | undefined
}

export interface CopyDeps {
  signal: AbortSignal
  pace?: SendPace
  /** Whether visitors want the processor too. */
  hasVisitors?: () => boolean
  /**
   * Called when the upload has begun and after each sent part. `sent`: how many bytes of the file
   * the store has.
   */
  onPart?: (state: CopyState, sent: number) => Promise<void> | void
}

/**
 * The amount that is sent again after a lost connection. Files of 2 GB then have 128 parts; S3
 * allows 10,000.
 */
export const PART_BYTES = 16 * 1024 * 1024
/** Read and hashed without a pause for other work. Small pieces take a fifth longer. */
const READ_BYTES = 512 * 1024
const READ_BYTES_BESIDE_VISITORS = 32 * 1024
/**
 * Copies a blob part by part, and resumes an earlier attempt. The store checks the MD5 of each
 * part; every byte goes through SHA-256 here; the ETag of the object must follow from its parts.
 * Throws DamagedError, BucketError, or the reason of the signal; the upload then stays for the next
 * attempt, unless the bytes are damaged.
 */
export async function copy(
  calls: S3Calls,
  source: Source,
  { uploadId, parts }: CopyState,
  deps: CopyDeps,
): Promise<{ etag: string }> {
  const uploadedParts =
    uploadId === undefined ? undefined : await calls.listParts(source.blobId, uploadId, deps.signal)
  if (uploadId !== undefined && uploadedParts === undefined) {
    // The last attempt may have been cut after the store had completed the object.
    const head = await calls.head(source.blobId, deps.signal)
    if (head && head.sha256 === source.sha256 && head.etag === computeEtag(parts))
      return { etag: head.etag }
  }
  if (source.copyInside !== undefined)
    return copyInside(calls, source, source.copyInside, deps.signal)
  const bytes = await source.open()
  try {
    const copying = new Copying(calls, source, bytes, deps)
    await (uploadId !== undefined && uploadedParts !== undefined
      ? copying.resume(uploadId, parts, uploadedParts)
      : copying.begin())
    return await copying.run()
  } finally {
    await bytes.close()
  }
}

/** The store has the bytes, which were proven when they came, and copies them as they are. */
async function copyInside(
  calls: S3Calls,
  source: Source,
  copyThere: NonNullable<Source['copyInside']>,
  signal: AbortSignal,
): Promise<{ etag: string }> {
  await copyThere(describeSource(source), signal)
  const head = await calls.head(source.blobId, signal)
  if (head?.size === source.size && head.sha256 === source.sha256) return { etag: head.etag }
  await calls.remove(source.blobId)
  throw new BucketError('rejected', 'The stored copy differs from its source')
}

const describeSource = ({ type, filename, sha256, owner }: Source): ObjectAbout => ({
  type,
  sha256,
  owner,
  disposition: attachment(filename),
})

/** Computes an object's ETag as S3 does, unless it encrypts with its own keys. */
export function computeEtag(parts: readonly Pick<CopiedPart, 'md5'>[]): string {
  const digests = createHash('md5')
  for (const { md5 } of parts) digests.update(md5, 'hex')
  return `"${digests.digest('hex')}-${parts.length}"`
}

/** A part of the file in memory. */
interface FilledPart {
  bytes: Buffer
  md5: Buffer
}

class Copying {
  /** Of the part that is sent, and of the next one. */
  readonly #buffers: Buffer[] = []
  readonly #whole = createHash('sha256')
  readonly #parts: CopiedPart[] = []
  #uploadId = ''
  /** Of the last attempt: the parts that we wrote down, and those that the store has. */
  #earlier: readonly CopiedPart[] = []
  #known: ReadonlyMap<number, UploadedPart> = new Map()

  constructor(
    private readonly calls: S3Calls,
    private readonly source: Source,
    private readonly bytes: ByteSource,
    private readonly deps: CopyDeps,
  ) {}

  async begin(): Promise<void> {
    this.#uploadId = await this.calls.begin(
      this.source.blobId,
      describeSource(this.source),
      this.deps.signal,
    )
    await this.#report(0)
  }

  resume(
    uploadId: string,
    earlier: readonly CopiedPart[],
    uploadedParts: ReadonlyMap<number, UploadedPart>,
  ): void {
    this.#uploadId = uploadId
    this.#earlier = earlier
    this.#known = uploadedParts
  }

  async run(): Promise<{ etag: string }> {
    try {
      await this.#sendParts()
      if (this.#whole.digest('hex') !== this.source.sha256)
        throw new DamagedError('The bytes on disk differ from those that were uploaded')
    } catch (cause) {
      if (cause instanceof DamagedError) await this.#abort()
      throw cause
    }
    const { blobId } = this.source
    const etags = this.#parts.map(({ etag }) => etag)
    await this.calls.complete(blobId, this.#uploadId, etags, this.deps.signal)
    return this.#prove()
  }

  /** Reads and hashes the next part while one is sent, unless visitors want the processor too. */
  async #sendParts(): Promise<void> {
    let ahead: Promise<FilledPart> | undefined
    try {
      for (let at = 0; at < this.source.size; at += PART_BYTES) {
        const part = await (ahead ?? this.#fill(at))
        const next = at + PART_BYTES
        const isAhead = next < this.source.size && this.deps.hasVisitors?.() !== true
        ahead = isAhead ? this.#fill(next) : undefined
        // A failure is that of the next part.
        ahead?.catch(() => undefined)
        await this.#sendPart(part, at)
      }
    } finally {
      // The caller closes the file.
      await ahead?.catch(() => undefined)
    }
  }

  async #sendPart({ bytes, md5 }: FilledPart, at: number): Promise<void> {
    const { signal, pace } = this.deps
    signal.throwIfAborted()
    const there = this.#thereAlready(bytes.length, md5.toString('hex'))
    if (there !== undefined) {
      this.#parts.push(there)
      return
    }
    const body = sendPaced(bytes, pace)
    const number = this.#parts.length + 1
    const sending = { uploadId: this.#uploadId, number, body, length: bytes.length, md5 }
    const etag = await this.calls
      .putPart(this.source.blobId, sending, signal)
      .finally(() => body.destroy())
    this.#parts.push({ md5: md5.toString('hex'), etag })
    await this.#report(at + bytes.length)
  }

  async #fill(position: number): Promise<FilledPart> {
    const buffer = (this.#buffers[(position / PART_BYTES) % 2] ??= this.#newBuffer())
    const bytes = buffer.subarray(0, Math.min(PART_BYTES, this.source.size - position))
    const md5 = createHash('md5')
    for (let filled = 0; filled < bytes.length;) {
      const most = this.deps.hasVisitors?.() === true ? READ_BYTES_BESIDE_VISITORS : READ_BYTES
      const length = Math.min(most, bytes.length - filled)
      const { bytesRead } = await this.bytes.read(bytes, filled, length, position + filled)
      if (bytesRead === 0)
        throw new DamagedError('The file on disk is shorter than its record says')
      const read = bytes.subarray(filled, filled + bytesRead)
      md5.update(read)
      this.#whole.update(read)
      filled += bytesRead
    }
    return { bytes, md5: md5.digest() }
  }

  #newBuffer = () => Buffer.allocUnsafeSlow(Math.min(PART_BYTES, this.source.size))

  /**
   * The next part, if the store has it: as we wrote down, or, if we were cut before that, as its
   * ETag says.
   */
  #thereAlready(size: number, md5: string): CopiedPart | undefined {
    const index = this.#parts.length
    const stored = this.#known.get(index + 1)
    if (stored?.size !== size) return undefined
    const noted = this.#earlier[index]
    const isNoted = noted?.md5 === md5 && noted.etag === stored.etag
    return isNoted || stored.etag === `"${md5}"` ? { md5, etag: stored.etag } : undefined
  }

  /**
   * Compares the object with what was sent. Some stores make ETags otherwise: there it is read back
   * once.
   */
  async #prove(): Promise<{ etag: string }> {
    const { source, calls, deps } = this
    const head = await calls.head(source.blobId, deps.signal)
    if (head?.size === source.size && head.sha256 === source.sha256) {
      const isProven = head.etag === computeEtag(this.#parts)
      if (isProven || (await calls.hash(source.blobId, source.size, deps.signal)) === source.sha256)
        return { etag: head.etag }
    }
    await calls.remove(source.blobId)
    throw new BucketError('rejected', 'The stored object differs from what was sent')
  }

  /**
   * The bytes are what matters to the caller. An upload that stays is found by the sweep of
   * unfinished ones.
   */
  async #abort(): Promise<void> {
    await this.calls.abort(this.source.blobId, this.#uploadId).catch(() => undefined)
  }

  async #report(sent: number): Promise<void> {
    await this.deps.onPart?.({ uploadId: this.#uploadId, parts: [...this.#parts] }, sent)
  }
}
