import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { BucketError } from '../bucket/bucket-error'
import { computeEtag, PART_BYTES } from '../bucket/copy'
import { hashFile } from '../copy-files'
import { retry } from './retry'
import type { Masters } from './masters'

/** Read at once to hash it, in bytes. */
const READ_BYTES = 512 * 1024

/**
 * Sends a file of this host to the bucket while it is written: full parts go behind the primary, so
 * that little is left to send after its last byte. The file must not change where it was written.
 */
export class MasterUpload {
  /** How many bytes of the file there are. */
  #upTo = 0
  #uploadId: string | undefined
  readonly #parts: { md5: string; etag: string }[] = []
  #sending: Promise<void> | undefined
  /** The MD5 of the next part, which is read while one is sent. */
  #ahead: Promise<Buffer> | undefined
  readonly #stopping = new AbortController()

  constructor(
    private readonly masters: Pick<Masters, 'calls' | 'objects'>,
    private readonly key: string,
    private readonly path: string,
  ) {}

  written(upTo: number): void {
    this.#upTo = upTo
    // A file of one part is sent in one request when it is complete.
    if (this.#sending !== undefined || upTo <= PART_BYTES || this.#stopping.signal.aborted) return
    if (upTo < this.#sentBytes + PART_BYTES) return
    this.#sending = this.#sendFullParts()
    // A failure stays in `#sending` and fails `finish`.
    this.#sending.then(
      () => {
        this.#sending = undefined
        this.written(this.#upTo)
      },
      () => undefined,
    )
  }

  /** Returns once the bucket has all `size` bytes, provably. Throws BucketError. */
  async finish(size: number): Promise<void> {
    await this.#sending
    this.#upTo = size
    if (size <= PART_BYTES) return this.#sendWhole(size)
    await this.#sendFullParts()
    if (this.#sentBytes < size) await this.#sendPart(size - this.#sentBytes)
    const etags = this.#parts.map(({ etag }) => etag)
    const { calls } = this.masters
    // Without an answer, the object itself says whether it is complete.
    const completing = retry(() => calls.complete(this.key, this.#uploadId ?? '', etags))
    const failure = await completing.then(
      () => undefined,
      (cause: unknown) => cause as Error,
    )
    await this.#prove(size, computeEtag(this.#parts), failure)
    this.#uploadId = undefined
  }

  /** Deletes what was sent of a file that is not finished. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#sending?.catch(() => undefined)
    const uploadId = this.#uploadId
    // What stays is found by the sweep of unfinished uploads.
    if (uploadId !== undefined)
      await this.masters.calls.abort(this.key, uploadId).catch(() => undefined)
  }

  get #sentBytes(): number {
    return this.#parts.length * PART_BYTES
  }

  async #sendFullParts(): Promise<void> {
    while (!this.#stopping.signal.aborted && this.#sentBytes + PART_BYTES <= this.#upTo)
      await this.#sendPart(PART_BYTES)
  }

  async #sendPart(length: number): Promise<void> {
    const { calls } = this.masters
    this.#uploadId ??= await retry(() => calls.begin(this.key, undefined))
    const uploadId = this.#uploadId
    const number = this.#parts.length + 1
    const start = this.#sentBytes
    const md5 = await (this.#ahead ?? this.#hash(start, length))
    this.#ahead =
      start + length + PART_BYTES <= this.#upTo ? this.#hash(start + length, PART_BYTES) : undefined
    // A failure is that of the next part.
    this.#ahead?.catch(() => undefined)
    const etag = await retry(() => {
      const body = this.#read(start, length)
      // The SDK pipes it, and a pipe leaves errors to its owner.
      body.on('error', () => undefined)
      const part = { uploadId, number, body, length, md5 }
      return calls.putPart(this.key, part, this.#stopping.signal).finally(() => body.destroy())
    })
    this.#parts.push({ md5: md5.toString('hex'), etag })
  }

  async #hash(start: number, length: number): Promise<Buffer> {
    const md5 = createHash('md5')
    for await (const chunk of this.#read(start, length)) md5.update(chunk as Buffer)
    return md5.digest()
  }

  #read = (start: number, length: number) =>
    createReadStream(this.path, { start, end: start + length - 1, highWaterMark: READ_BYTES })

  async #sendWhole(size: number): Promise<void> {
    const bytes = await readFile(this.path)
    const md5 = `"${createHash('md5').update(bytes).digest('hex')}"`
    const etag = await retry(() => this.masters.objects.put(this.key, bytes))
    // The store has compared the bytes with their MD5. Some stores make ETags otherwise.
    if (etag !== md5) await this.#prove(size, md5)
  }

  /**
   * Compares the object with what was sent. Some stores make ETags otherwise: there it is read back
   * once.
   */
  async #prove(size: number, etag: string, failure?: Error): Promise<void> {
    const { calls } = this.masters
    const head = await retry(() => calls.head(this.key))
    if (head?.size === size) {
      if (head.etag === etag) return
      const [there, here] = await Promise.all([
        retry(() => calls.hash(this.key, size)),
        hashFile(this.path),
      ])
      if (there === here) return
    }
    if (failure !== undefined) throw failure
    await calls.remove(this.key)
    throw new BucketError('rejected', 'The stored object differs from what was sent')
  }
}

/**
 * Sends a complete file. Returns once the bucket has all `size` bytes, provably. Throws
 * BucketError.
 */
export async function sendFile(
  masters: Pick<Masters, 'calls' | 'objects'>,
  { key, path, size }: { key: string; path: string; size: number },
): Promise<void> {
  const upload = new MasterUpload(masters, key, path)
  try {
    await upload.finish(size)
  } finally {
    await upload.stop()
  }
}
