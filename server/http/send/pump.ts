import type { ServerResponse } from 'node:http'
import { ConnectionLost } from '../../core/errors'
import type { Flow } from '../transfers/bandwidth'
import type { ByteRange } from '../../core/byte-source'
import type { SharedBlocks, Source } from './shared-blocks'

/**
 * A client that takes so many blocks in a row, each within so many ms, gets large ones. On a busy computer each takes
 * long, and small ones would be slower still.
 */
const FAST_BLOCKS = 8
const FAST_MS = 200

/**
 * Reports bytes that the client's system received, even if the rest failed. Unsure bytes were in transit when the
 * connection was lost.
 */
export type Delivered = (range: ByteRange, isSure: boolean) => void

/** Writes the body of one response: reads a block, writes it, waits. */
export class Pump {
  #fastBlocks = 0
  #text = ''
  #isLost: boolean
  #giveUp: ((error: ConnectionLost) => void) | undefined

  /** `begin` sets status and headers just before the first byte, so that an earlier error can still be reported. */
  constructor(
    private readonly response: ServerResponse,
    private readonly blocks: SharedBlocks,
    private readonly flow: Pick<Flow, 'take'>,
    private readonly begin: () => void,
  ) {
    this.#isLost = response.destroyed || response.socket?.destroyed === true
    const lose = () => {
      this.#isLost = true
      this.#giveUp?.(new ConnectionLost())
    }
    response.once('close', lose).on('error', lose)
  }

  /** Sends text together with the next bytes, or with the end. */
  text(text: string): void {
    this.#text += text
  }

  /** Sends a range. Throws ConnectionLost, and what `fill` throws. */
  async send(source: Source, { start, end }: ByteRange, delivered: Delivered): Promise<void> {
    let blockStart = start
    let position = start
    try {
      while (position <= end) {
        await this.blocks.use(source, { start: position, end }, this.#fastBlocks >= FAST_BLOCKS, (bytes) => {
          position += bytes.length
          return this.#write(bytes)
        })
        blockStart = position
      }
    } finally {
      if (blockStart > start) delivered({ start, end: blockStart - 1 }, true)
      if (position > blockStart) delivered({ start: blockStart, end: position - 1 }, false)
    }
  }

  end(): Promise<void> {
    return this.#until((done) => this.response.end(done))
  }

  /** Returns once the system has accepted the bytes; until then they must not change. */
  async #write(bytes: Buffer): Promise<void> {
    const start = performance.now()
    for (let at = 0; at < bytes.length;) {
      const share = this.flow.take(bytes.length - at)
      const allowed = typeof share === 'number' ? share : await share
      const part = bytes.subarray(at, at + allowed)
      await this.#until((done) => this.response.write(part, done))
      at += allowed
    }
    this.#fastBlocks = performance.now() - start < FAST_MS ? this.#fastBlocks + 1 : 0
  }

  #until(start: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isLost) return reject(new ConnectionLost())
      this.#giveUp = reject
      if (!this.response.headersSent) this.begin()
      if (this.#text !== '') this.response.write(this.#text)
      this.#text = ''
      start((error) => {
        this.#giveUp = undefined
        if (error) reject(new ConnectionLost())
        else resolve()
      })
    })
  }
}
