import type { FileHandle } from 'node:fs/promises'
import type { Outlet } from './outlet'
import { Pace, STALL_MS } from './pace'
import type { ByteRange } from './range'
import type { SlabPool } from './slab-pool'

/**
 * Sends ranges of an open file through two slabs: the disk fills one while the other is on its way to the client.
 * Measured here this is faster than sendfile, and it makes no garbage at all.
 */
export class FilePump {
  readonly #pace = new Pace()
  /** The slab that is read into next, and the one that is being written. */
  #slabs: [Buffer | undefined, Buffer | undefined] = [undefined, undefined]

  constructor(
    private readonly file: FileHandle,
    private readonly outlet: Outlet,
    private readonly pool: SlabPool,
  ) {}

  /** `delivered` hears once how much of the range the system has taken. Throws when the file is shorter. */
  async send({ start, end }: ByteRange, delivered: (range: ByteRange) => void): Promise<void> {
    let taken = start
    try {
      let writing = Promise.resolve()
      for (let position = start; position <= end;) {
        let bytes = await this.#read(position, end - position + 1)
        if (await stalls(writing)) {
          this.#giveBack()
          await writing
          bytes = await this.#read(position, end - position + 1)
        }
        position += bytes.length
        writing = this.#write(bytes).then(() => void (taken += bytes.length))
        // A failure is met at the next `await`; until then it must not count as unhandled.
        writing.catch(() => undefined)
      }
      await writing
    } finally {
      if (taken > start) delivered({ start, end: taken - 1 })
    }
  }

  /** Returns the memory. After a failure the system may still be reading from it, so it is not used again. */
  release(outcome: 'sent' | 'failed'): void {
    for (const slab of this.#slabs) {
      if (slab === undefined) continue
      if (outcome === 'sent') this.pool.takeBack(slab)
      else this.pool.drop(slab)
    }
    this.#slabs = [undefined, undefined]
  }

  async #read(position: number, left: number): Promise<Buffer> {
    const slab = this.#next(Math.min(this.#pace.size, left))
    const { bytesRead } = await this.file.read(slab, 0, Math.min(slab.length, left), position)
    if (bytesRead === 0) throw new Error('A file on disk is shorter than its record says')
    return slab.subarray(0, bytesRead)
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#slabs.reverse()
    const start = performance.now()
    await this.outlet.write(bytes)
    this.#pace.wrote(performance.now() - start)
  }

  /** A client that has stopped reading holds one slab, not two: what was read ahead is read again later. */
  #giveBack(): void {
    const [slab] = this.#slabs
    if (slab !== undefined) this.pool.takeBack(slab)
    this.#slabs[0] = undefined
  }

  /** The free slab, exchanged where the client has become slower, or faster and the pool has a larger one. */
  #next(wanted: number): Buffer {
    const [slab] = this.#slabs
    const isTooLarge = slab !== undefined && slab.length > this.#pace.size
    const isTooSmall = slab !== undefined && slab.length < wanted && this.pool.offers(wanted) > slab.length
    if (slab !== undefined && !isTooLarge && !isTooSmall) return slab
    this.#giveBack()
    const lent = this.pool.lend(wanted)
    this.#slabs[0] = lent
    return lent
  }
}

/** Waits for a write; answers whether it takes so long that the client must have stopped. */
async function stalls(writing: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const stalled = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, STALL_MS, true)
  })
  try {
    return await Promise.race([writing.then(() => false), stalled])
  } finally {
    clearTimeout(timer)
  }
}
