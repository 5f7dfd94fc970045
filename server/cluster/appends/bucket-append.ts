import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import {
  UploadLostError,
  type InBucket,
  type AppendOptions,
  type AppendWriter,
  type UploadBytes,
} from '../../data/blobs/blob-store'
import { releaseMemory } from '../../data/blobs/file-writer'
import { BucketError } from '../../data/bucket/bucket-error'
import { keyOf, UPLOADS, type BlobBucket } from '../blob-bucket'
import { sendPart } from '../../data/bucket/multipart-writer'
import { retry } from '../../data/bucket/retry'
import { PartFile } from './part-file'
import { bytesOf, newPieceName, piecesBefore, type Piece } from './tail'
import type { AppendDigests } from './append-digests'

/*
 * How a resumable upload gets into a bucket, append by append (one request of the client each).
 *
 * What the bucket has of an unfinished upload:
 * - a multipart upload, whose object will be the blob, with its full parts of 16 MiB;
 * - a tail: the bytes behind the last full part, in small objects of their own (pieces), because S3
 *   accepts no short part but the last one.
 * The record of the upload in the library names both (`InBucket`), and says how many bytes the
 * client need not send again (`offset`). So any host of the cluster can take the next append.
 *
 * During an append the bytes of the part that fills are in a file of this host without a name. A
 * full part is sent while the next one fills. What fills no part becomes a piece every few seconds
 * and at the end of the append. The order is always the same:
 *   1. the bytes are in the bucket (`#safe`),
 *   2. the record says so (`onSafe`),
 *   3. the pieces that neither the record nor the beginning of this append names are deleted.
 * A crash before 2 leaves a part or pieces that no record names: the client sends those bytes again
 * to the same part number or a new piece, and a sweep deletes what is left. A record that is rolled
 * back names the beginning of this append, so the pieces of the beginning stay until `accept`.
 *
 * A host that was replaced may still send. It can overwrite a part with bytes of its own, so a part
 * is known by its ETag: a completion with another ETag is refused, and the upload is then lost.
 * Pieces have random names and are never overwritten.
 */

/** Chunks that arrive during a write are written together, up to this size. */
const GATHERED_BYTES = 512 * 1024

export interface AppendDeps {
  blobBucket: Pick<BlobBucket, 'calls' | 'objects'>
  /** A folder of this host with room for two parts. */
  dir: string
  partBytes: number
  /** How often bytes that fill no part yet go to the bucket, in ms. */
  safeEveryMs: number
  /**
   * Called once a record says what is safe. `digests` undefined: earlier bytes came to another
   * process.
   */
  record: (digests: AppendDigests | undefined) => void
}

/** A state that the bucket holds completely. */
interface Safe {
  offset: number
  inBucket: InBucket
  digests: AppendDigests | undefined
}

/**
 * One append of an upload into a bucket. Full parts go there while the next one arrives. What fills
 * no part follows as a piece now and then, and at the end of the append. Pieces that the record may
 * name stay until it names others.
 */
export class BucketAppend extends Writable implements AppendWriter {
  readonly #start: Safe
  #safe: Safe
  #received: number
  #partStart: number
  #digests: AppendDigests | undefined
  /** The file of the part that fills. */
  #partFile: PartFile | undefined
  #sending: Promise<void> = Promise.resolve()
  #isSending = false
  #safeAt = performance.now()
  readonly #pieces: Set<string>

  constructor(
    private readonly deps: AppendDeps,
    private readonly upload: UploadBytes & { inBucket: InBucket },
    digests: AppendDigests | undefined,
    private readonly options: AppendOptions,
  ) {
    super({ highWaterMark: GATHERED_BYTES, autoDestroy: false })

    this.#start = { offset: upload.offset, inBucket: upload.inBucket, digests }
    this.#safe = this.#start
    this.#received = upload.offset
    this.#partStart = upload.inBucket.parts.length * deps.partBytes
    this.#digests = digests?.copy()
    this.#pieces = new Set(upload.inBucket.tail.map(({ name }) => name))

    // The source gets the error from its own promise; without a listener it would end the process.
    this.on('error', () => undefined)
  }

  async settle(): Promise<Pick<Safe, 'offset' | 'inBucket'>> {
    await finished(this).catch(() => undefined)
    await this.#sending
    if (this.#received > this.#safe.offset) await this.#sendPiece(this.#received, this.#digests)
    const { offset, inBucket } = this.#safe
    return { offset, inBucket }
  }

  async close(): Promise<void> {
    await this.#sending.catch(() => undefined)
    await this.#partFile?.close()
    this.#partFile = undefined
    this.destroy()
  }

  /** The record says so. Forgets all other pieces, and returns the digests up to there. */
  accept({ offset, inBucket }: UploadBytes): AppendDigests | undefined {
    this.#removeAllBut(inBucket?.tail ?? [])
    return [this.#safe, this.#start].find((safe) => safe.offset === offset)?.digests
  }

  /** Deletes all pieces, because the upload was deleted. */
  removePieces(): void {
    this.#removeAllBut([])
  }

  override _writev(items: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#take(items.map(({ chunk }) => chunk)).then(() => done(), done)
  }

  async #take(chunks: readonly Buffer[]): Promise<void> {
    await this.options.onBytes?.(chunks.reduce((sum, { length }) => sum + length, this.#received))

    for (const chunk of chunks) {
      for (let rest = chunk; rest.length > 0;) {
        const now = rest.subarray(0, this.#partEnd - this.#received)
        if (now.length === 0) throw new Error('An upload has no bytes behind its end')
        await this.#keep(now)
        rest = rest.subarray(now.length)
      }
    }

    this.options.onWritten?.(this.#received)
    // The stream reads the length of a chunk after its callback.
    setImmediate(releaseMemory, chunks)

    const isDue =
      this.#received > this.#safe.offset &&
      performance.now() - this.#safeAt >= this.deps.safeEveryMs
    if (!isDue || this.#isSending) return

    const upTo = this.#received
    const digests = this.#digests?.copy()
    this.#send(async () => {
      await this.#sendPiece(upTo, digests)
      await this.#record()
    })
  }

  get #partEnd(): number {
    return Math.min(this.#partStart + this.deps.partBytes, this.upload.size)
  }

  async #keep(bytes: Buffer): Promise<void> {
    const at = this.#received - this.#partStart
    this.#partFile ??= await PartFile.open(this.deps.dir, at)
    await this.#partFile.write(bytes, at)
    this.#digests?.update(bytes)
    this.#received += bytes.length
    if (this.#received < this.#partEnd) return

    const partFile = this.#partFile
    const end = this.#partEnd
    const md5 = this.#digests?.endPart()
    const digests = this.#digests?.copy()

    // One part is sent while the next one fills.
    await this.#sending
    this.#partFile = undefined
    this.#partStart = end

    this.#send(async () => {
      try {
        await this.#sendPart(partFile, end, md5, digests)
      } finally {
        await partFile.close()
      }
      await this.#record()
    })
  }

  /**
   * Sends one thing after another. After a failure it sends nothing more: the failure ends the
   * stream at the next part, or fails `settle`.
   */
  #send(work: () => Promise<void>): void {
    this.#isSending = true
    this.#sending = this.#sending.then(work).finally(() => (this.#isSending = false))
    this.#sending.catch(() => undefined)
  }

  async #sendPart(
    partFile: PartFile,
    end: number,
    md5OfReceived: Buffer | undefined,
    digests?: AppendDigests,
  ) {
    const { calls } = this.deps.blobBucket
    const { uploadId, parts, tail } = this.#safe.inBucket
    await this.#fetch(partFile, tail, 0)

    const key = keyOf(this.upload.blobId)
    const length = end - parts.length * this.deps.partBytes
    const md5 = md5OfReceived ?? (await partFile.md5(length))
    const target = { key, uploadId, number: parts.length + 1 }
    const part = { length, md5, open: () => partFile.stream(length) }

    const etag = await sendPart(calls, target, part, retry).catch(async (cause: unknown) => {
      const isRefused = cause instanceof BucketError && cause.kind === 'rejected'
      if (isRefused && (await calls.listParts(key, uploadId)) === undefined)
        throw new UploadLostError()
      throw cause
    })

    this.#reach({ offset: end, inBucket: { uploadId, parts: [...parts, etag], tail: [] }, digests })
  }

  async #sendPiece(upTo: number, digests: AppendDigests | undefined): Promise<void> {
    const { offset, inBucket } = this.#safe
    const partFile = this.#partFile
    if (partFile === undefined) throw new Error('Nothing was received since the last part')

    const before = piecesBefore(inBucket.tail, upTo - offset)
    const from = bytesOf(before)
    await this.#fetch(partFile, inBucket.tail, from)
    const bytes = await partFile.read(from, upTo - inBucket.parts.length * this.deps.partBytes)

    const name = newPieceName(this.upload.blobId)
    this.#pieces.add(name)
    await retry(() => this.deps.blobBucket.objects.put(`${UPLOADS}${name}`, bytes))

    const tail = [...before, { name, size: bytes.length }]
    this.#reach({ offset: upTo, inBucket: { ...inBucket, tail }, digests })
  }

  /**
   * Fetches those bytes of the part that earlier appends have left in the bucket, from there on.
   */
  async #fetch(partFile: PartFile, tail: readonly Piece[], from: number): Promise<void> {
    let at = 0
    for (const { name, size } of tail) {
      const isMissing = at >= from && at < partFile.from
      if (isMissing) await partFile.write(await this.#read(name, size), at)
      at += size
    }
    partFile.from = Math.min(partFile.from, from)
  }

  async #read(name: string, size: number): Promise<Buffer> {
    const bytes = await retry(() => this.deps.blobBucket.objects.get(`${UPLOADS}${name}`, size))
    if (bytes?.length !== size) throw new UploadLostError()
    return bytes
  }

  #reach(safe: Safe): void {
    this.#safe = safe
    this.#safeAt = performance.now()
  }

  /**
   * Deletes only pieces that the record no longer names. The pieces of the beginning stay for a
   * roll-back.
   */
  async #record(): Promise<void> {
    const { offset, inBucket, digests } = this.#safe
    if (this.options.onSafe === undefined) return
    try {
      await this.options.onSafe({ offset, inBucket })
    } catch {
      // The next one, or the end of the append, records more.
      return
    }
    this.deps.record(digests)
    this.#removeAllBut([...inBucket.tail, ...this.#start.inBucket.tail])
  }

  /** The sweep finds pieces that a failure leaves. */
  #removeAllBut(tail: readonly Piece[]): void {
    for (const piece of this.#pieces) {
      if (tail.some(({ name }) => name === piece)) continue
      this.#pieces.delete(piece)
      this.deps.blobBucket.calls.remove(`${UPLOADS}${piece}`).catch(() => undefined)
    }
  }
}
