import type { Flow } from '../transfers/bandwidth'
import type { ByteSource } from '../../core/byte-source'
import type { Outlet } from './outlet'
import { Pace, STALL_MS } from './pace'
import type { ByteRange } from './range'
import type { Sendable } from './sendable'
import { spoil, type Block, type SharedBlocks, type Shelf } from './shared-blocks'

/** A named source: equal names have equal bytes. */
interface Bytes {
  name: string
  source: Pick<ByteSource, 'read'>
}

/**
 * Sends byte ranges with two blocks: one is read while the other is sent. Measured faster than sendfile, without
 * garbage.
 */
export class FilePump {
  readonly #pace = new Pace()
  readonly #shelf: Shelf
  /** The block being sent, and the one read ahead. */
  readonly #held = new Set<Block>()
  #isWriting = false

  constructor(
    private readonly bytes: Bytes,
    private readonly outlet: Outlet,
    private readonly means: { blocks: SharedBlocks; flow: Pick<Flow, 'take'> },
  ) {
    this.#shelf = means.blocks.enter(bytes.name)
  }

  /** Reports to `delivered` how much the system has accepted. Throws when the file is too short. */
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
        // The next `await` handles a failure; until then it must not count as unhandled.
        writing.catch(() => undefined)
      }
      await writing
    } finally {
      if (taken > start) delivered({ start, end: taken - 1 }, true)
      if (position > taken) delivered({ start: taken, end: position - 1 }, false)
    }
  }

  /** Releases the memory. After a failure the system may still read from it, so it is not reused. */
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

  /** A stalled client holds one block, not two: the block read ahead is read again later. */
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

/** Waits for a write; returns whether it takes longer than STALL_MS. */
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
