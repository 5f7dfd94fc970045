import type { Flow } from '../transfers/bandwidth'
import type { ByteSource } from '../../core/byte-source'
import type { Outlet } from './outlet'
import { Pace, STALL_MS } from './pace'
import type { ByteRange } from './range'
import type { Sendable } from './sendable'
import { spoil, type Block, type SharedBlocks, type Shelf } from './shared-blocks'

/** Bytes, and their name: what has the same name has the same bytes. */
interface Bytes {
  name: string
  source: Pick<ByteSource, 'read'>
}

/**
 * Sends ranges of an open source by two blocks: the disk fills one while the other is on its way to the client. Measured
 * here this is faster than sendfile, and it makes no garbage at all.
 */
export class FilePump {
  readonly #pace = new Pace()
  readonly #shelf: Shelf
  /** The block that is being written, and the one that was read ahead. */
  readonly #held = new Set<Block>()
  #isWriting = false

  constructor(
    private readonly bytes: Bytes,
    private readonly outlet: Outlet,
    private readonly means: { blocks: SharedBlocks; flow: Pick<Flow, 'take'> },
  ) {
    this.#shelf = means.blocks.enter(bytes.name)
  }

  /** `delivered` hears how much of the range the system has taken. Throws when the file is shorter. */
  async send({ start, end }: ByteRange, delivered: Sendable['delivered']): Promise<void> {
    let taken = start
    let position = start
    try {
      let writing = Promise.resolve()
      while (position <= end) {
        let block = await this.#take(position, end)
        if (this.#isWriting && (await stalls(writing))) {
          this.#letGo(block)
          await writing
          block = await this.#take(position, end)
        }
        const bytes = block.slab.subarray(position - block.start, Math.min(block.end, end + 1) - block.start)
        position += bytes.length
        this.#isWriting = true
        writing = this.#write(bytes).then(() => {
          taken += bytes.length
          this.#isWriting = false
          this.#letGo(block)
        })
        // A failure is met at the next `await`; until then it must not count as unhandled.
        writing.catch(() => undefined)
      }
      await writing
    } finally {
      if (taken > start) delivered({ start, end: taken - 1 }, true)
      if (position > taken) delivered({ start: taken, end: position - 1 }, false)
    }
  }

  /** Ends the use of memory. After a failure the system may still be reading from it, so it is not used again. */
  release(outcome: 'sent' | 'failed'): void {
    for (const block of this.#held) {
      if (outcome === 'failed') spoil(block)
      this.#letGo(block)
    }
    this.means.blocks.leave(this.#shelf)
  }

  async #take(position: number, end: number): Promise<Block> {
    const wanted = { position, most: this.#pace.size, left: end - position + 1 }
    const block = await this.means.blocks.take(this.#shelf, wanted, async (slab, length, from) => {
      const { bytesRead } = await this.bytes.source.read(slab, 0, length, from)
      return bytesRead
    })
    this.#held.add(block)
    if (block.end === position) throw new Error('A file on disk is shorter than its record says')
    return block
  }

  /** A client that has stopped reading holds one block, not two: what was read ahead is read again later. */
  #letGo(block: Block): void {
    this.#held.delete(block)
    this.means.blocks.letGo(block)
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const share = this.means.flow.take(bytes.length - at)
      const allowed = typeof share === 'number' ? share : await share
      const start = performance.now()
      await this.outlet.write(bytes.subarray(at, at + allowed))
      this.#pace.wrote(performance.now() - start)
      at += allowed
    }
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
