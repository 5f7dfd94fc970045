import type { ByteSource } from '../../core/byte-source'
import type { S3Objects } from '../../data/bucket/s3-objects'
import { missingError } from './missing'
import { retry } from '../../data/bucket/retry'

const BLOCK_BYTES = 1024 * 1024
/** How many blocks are requested ahead, once reads are sequential. */
const AHEAD = 2

/** An object of the bucket, read in blocks; behind one that is read follow the next two. */
export class BucketSource implements ByteSource {
  readonly #blocks = new Map<number, Promise<Buffer>>()
  readonly #closing = new AbortController()
  #last = -1

  constructor(
    private readonly objects: Pick<S3Objects, 'read'>,
    private readonly key: string,
    private readonly size: number,
  ) {}

  async read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesRead: number }> {
    let bytesRead = 0
    while (bytesRead < length && position + bytesRead < this.size) {
      const at = position + bytesRead
      const block = await this.#follow(Math.floor(at / BLOCK_BYTES))
      bytesRead += block.copy(
        into,
        offset + bytesRead,
        at % BLOCK_BYTES,
        (at % BLOCK_BYTES) + length - bytesRead,
      )
    }
    return { bytesRead }
  }

  close(): Promise<void> {
    this.#closing.abort()
    this.#blocks.clear()
    return Promise.resolve()
  }

  #follow(index: number): Promise<Buffer> {
    const goesOn = index === this.#last + 1 && this.#last >= 0
    this.#last = index
    const block = this.#load(index)
    if (goesOn) for (let next = index + 1; next <= index + AHEAD; next++) this.#prepare(next)
    this.#forgetBefore(index)
    return block
  }

  #prepare(index: number): void {
    // Its reader gets the error.
    if (index * BLOCK_BYTES < this.size) this.#load(index).catch(() => undefined)
  }

  #load(index: number): Promise<Buffer> {
    const running = this.#blocks.get(index)
    if (running !== undefined) return running

    const start = index * BLOCK_BYTES
    const end = Math.min(start + BLOCK_BYTES, this.size) - 1

    const block = retry(() =>
      this.objects.read(this.key, { start, end }, this.#closing.signal),
    ).then((bytes) => {
      if (bytes?.length !== end - start + 1) throw missingError(this.key)
      return bytes
    })

    this.#blocks.set(index, block)
    block.catch(() => this.#blocks.delete(index))
    return block
  }

  /** One block before stays: reads need not follow each other exactly. */
  #forgetBefore(index: number): void {
    for (const other of this.#blocks.keys()) {
      if (other < index - 1 || other > index + AHEAD) this.#blocks.delete(other)
    }
  }
}
