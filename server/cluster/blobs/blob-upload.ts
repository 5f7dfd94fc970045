import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { hashFile } from '../../data/copy-files'
import type { BlobBucket } from '../blob-bucket'
import {
  MultipartWriter,
  PART_BYTES,
  proveObject,
  type Part,
} from '../../data/bucket/multipart-writer'
import { retry } from '../../data/bucket/retry'

/** The size of a read, in bytes. */
const READ_BYTES = 512 * 1024

/** The MD5 of each part of a file, from the bytes that were written. */
class PartDigests {
  #offset = 0
  #part: Hash = createHash('md5')
  readonly #full: Buffer[] = []

  update(chunk: Buffer): void {
    for (let start = 0; start < chunk.length;) {
      const end = Math.min(chunk.length, start + PART_BYTES - (this.#offset % PART_BYTES))
      this.#part.update(chunk.subarray(start, end))
      this.#offset += end - start
      start = end

      if (this.#offset % PART_BYTES > 0) continue
      this.#full.push(this.#part.digest())
      this.#part = createHash('md5')
    }
  }

  /** Of the part at `start`; undefined: not all its bytes were seen. */
  find(start: number, length: number): Buffer | undefined {
    if (start + length > this.#offset) return undefined
    return length === PART_BYTES ? this.#full[start / PART_BYTES] : this.#part.copy().digest()
  }
}

/**
 * Sends a file of this host to the bucket while it is written: full parts follow the writer, so
 * that little is left to send after its last byte. The file must not change where it was written.
 */
export class BlobUpload {
  /** How many bytes of the file there are. */
  #upTo = 0
  #sending: Promise<void> | undefined
  readonly #digests = new PartDigests()
  readonly #writer: MultipartWriter
  readonly #stopping = new AbortController()

  constructor(
    private readonly blobBucket: Pick<BlobBucket, 'calls' | 'objects'>,
    private readonly key: string,
    private readonly path: string,
  ) {
    const options = { signal: this.#stopping.signal, attempt: retry }
    this.#writer = new MultipartWriter(blobBucket.calls, key, options)
  }

  /** `chunks`: the bytes since the last call. */
  written(upTo: number, chunks: readonly Buffer[]): void {
    for (const chunk of chunks) this.#digests.update(chunk)
    this.#upTo = upTo
    this.#sendFullParts()
  }

  #sendFullParts(): void {
    const upTo = this.#upTo
    // A file of one part is sent in one request when it is complete.
    if (this.#sending !== undefined || upTo <= PART_BYTES || this.#stopping.signal.aborted) return
    const end = upTo - (upTo % PART_BYTES)
    if (end === this.#writer.sentBytes) return

    this.#sending = this.#writer.send(this.#read, end)
    // A failure stays in `#sending` and fails `finish`.
    this.#sending.then(
      () => {
        this.#sending = undefined
        this.#sendFullParts()
      },
      () => undefined,
    )
  }

  /** Returns once the bucket has all `size` bytes, provably. Throws BucketError. */
  async finish(size: number): Promise<void> {
    while (this.#sending !== undefined) await this.#sending
    if (size <= PART_BYTES) return this.#sendWhole(size)

    await this.#writer.send(this.#read, size)
    await this.#writer.finish(() => hashFile(this.path))
  }

  /** Deletes the parts of an unfinished file from the bucket. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#sending?.catch(() => undefined)
    await this.#writer.abort()
  }

  readonly #read = async (start: number, length: number): Promise<Part> => {
    const range = { start, end: start + length - 1, highWaterMark: READ_BYTES }
    const open = () => createReadStream(this.path, range)

    const seen = this.#digests.find(start, length)
    if (seen !== undefined) return { length, md5: seen, open }

    const md5 = createHash('md5')
    for await (const chunk of open()) md5.update(chunk as Buffer)
    return { length, md5: md5.digest(), open }
  }

  async #sendWhole(size: number): Promise<void> {
    const bytes = await readFile(this.path)
    const expected = `"${createHash('md5').update(bytes).digest('hex')}"`
    const { calls, objects } = this.blobBucket
    const { key, path } = this
    const etag = await retry(() => objects.put(key, bytes))
    // The store has compared the bytes with their MD5. Some stores make ETags otherwise.
    if (etag === expected) return
    const hashSource = () => hashFile(path)
    await proveObject(calls, { key, size, etag: expected, hashSource }, { attempt: retry })
  }
}

/**
 * Sends a complete file. Returns once the bucket has all `size` bytes, provably. Throws
 * BucketError.
 */
export async function sendFile(
  blobBucket: Pick<BlobBucket, 'calls' | 'objects'>,
  { key, path, size }: { key: string; path: string; size: number },
): Promise<void> {
  const upload = new BlobUpload(blobBucket, key, path)
  try {
    await upload.finish(size)
  } finally {
    await upload.stop()
  }
}
