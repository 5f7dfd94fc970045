import { createHash } from 'node:crypto'
import type { ByteSource } from '../../../core/byte-source'
import { attachment } from '../../../core/net/attachment'
import { BucketError, DamagedError } from '../bucket-error'
import { sendPaced, type SendPace } from './send-paced'
import { computeEtag, MultipartWriter, PART_BYTES, type Part } from '../multipart-writer'
import type { ObjectAbout, S3Calls } from '../s3-calls'
import type { CopiedPart } from '../../records/file-records'

/** How far a copy is: plain data that survives restarts. */
export interface CopyState {
  uploadId?: string
  parts: readonly CopiedPart[]
}

/** A blob to copy, and the metadata of its copy. */
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
  /** Whether visitors need the processor too. */
  hasVisitors?: () => boolean
  /**
   * Called when the upload has begun and after each sent part. `sent`: how many bytes of the file
   * the store has.
   */
  onPart?: (state: CopyState, sent: number) => Promise<void> | void
}

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
  const { signal, hasVisitors, onPart } = deps
  const { blobId, sha256 } = source

  const stored =
    uploadId === undefined ? undefined : await calls.listParts(blobId, uploadId, signal)
  if (uploadId !== undefined && stored === undefined) {
    // The last attempt may have been stopped after the store had completed the object.
    const head = await calls.head(blobId, signal)
    if (head && head.sha256 === sha256 && head.etag === computeEtag(parts))
      return { etag: head.etag }
  }

  if (source.copyInside !== undefined) return copyInside(calls, source, source.copyInside, signal)

  const mayReadAhead = () => hasVisitors?.() !== true
  const about = describeSource(source)
  const writer = new MultipartWriter(calls, blobId, { about, signal, mayReadAhead, onPart })
  if (uploadId !== undefined && stored !== undefined) writer.resume({ uploadId, parts }, stored)

  const bytes = await source.open()
  try {
    const reader = new PartReader(source, bytes, deps)
    await writer.send(reader.read, source.size)
    reader.requireWhole()
    return await writer.finish(() => sha256)
  } catch (cause) {
    // The damage counts, also where the store does not answer: the daily check ends old uploads.
    if (cause instanceof DamagedError) await writer.abort().catch(() => undefined)
    throw cause
  } finally {
    await bytes.close()
  }
}

/** Lets the store copy the blob, whose bytes were proven when they were uploaded. */
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

/** Reads a blob part by part into memory, and hashes each byte once. */
class PartReader {
  /** For the part that is sent, and for the next one. */
  readonly #buffers: Buffer[] = []
  readonly #whole = createHash('sha256')

  constructor(
    private readonly source: Source,
    private readonly bytes: ByteSource,
    private readonly deps: CopyDeps,
  ) {}

  read = async (start: number, length: number): Promise<Part> => {
    const buffer = (this.#buffers[(start / PART_BYTES) % 2] ??= this.#newBuffer())
    const bytes = buffer.subarray(0, length)
    const md5 = createHash('md5')

    for (let filled = 0; filled < length;) {
      // Visitors need the processor too.
      const most = this.deps.hasVisitors?.() === true ? READ_BYTES_BESIDE_VISITORS : READ_BYTES
      const wanted = Math.min(most, length - filled)
      const { bytesRead } = await this.bytes.read(bytes, filled, wanted, start + filled)
      if (bytesRead === 0)
        throw new DamagedError('The file on disk is shorter than its record says')

      const read = bytes.subarray(filled, filled + bytesRead)
      md5.update(read)
      this.#whole.update(read)
      filled += bytesRead
    }
    return { length, md5: md5.digest(), open: () => sendPaced(bytes, this.deps.pace) }
  }

  /** Throws DamagedError unless all that was read is what was uploaded. */
  requireWhole(): void {
    if (this.#whole.digest('hex') === this.source.sha256) return
    throw new DamagedError('The bytes on disk differ from those that were uploaded')
  }

  #newBuffer = () => Buffer.allocUnsafeSlow(Math.min(PART_BYTES, this.source.size))
}
