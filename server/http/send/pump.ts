import type { ServerResponse } from 'node:http'
import { ConnectionLost } from '../../core/errors'
import type { Flow } from '../transfers/bandwidth'
import type { ByteRange } from '../../core/byte-source'
import type { Piece } from './download-plan'
import type { Lease, SharedBlocks, Source } from './shared-blocks'

/*
 * How a body is written
 *
 * A pump takes a block of bytes from `SharedBlocks`, writes it to the response, and waits until
 * the system has accepted it. Then the block may be reused for other bytes. A read happens before
 * its write, so an error of the first read can still become an error reply: `begin` sends the
 * headers just before the first byte.
 *
 * Blocks have 64 KiB. A client that takes FAST_BLOCKS in a row quickly gets blocks of 512 KiB, and
 * the next block is read while the system takes the present one (`ahead`). Two cases do not read
 * ahead: replies that share a block, because they overlap anyway and would drift apart; and a
 * client that rests for FAST_MS, which must hold one block only, as there may be thousands of them.
 *
 * What may happen between two steps:
 * - The client disconnects. `#giveUp` rejects the pending write immediately.
 *   The block of this write is not reused, as the system may still read it.
 * - The read ahead fails or is not needed. `letGo` releases its block in every case.
 * - Bandwidth runs out. `flow.take` returns a smaller share, so one block takes several writes.
 *
 * `delivered` gets two ranges: bytes that the system accepted, and bytes of the block in transit
 * when the connection broke, which may or may not have arrived. The last block ends the response
 * only if it is the whole body; otherwise `end` follows as a step of its own, because a closing
 * server destroys connections whose response has ended.
 * See docs/decisions/0005-send-files-from-reused-buffers.md.
 */

/**
 * Number of consecutive blocks that a client must take, each within FAST_MS, to get large blocks.
 * On a busy computer every block takes longer, and small ones would slow it down further.
 */
const FAST_BLOCKS = 8
const FAST_MS = 200

/**
 * Reports bytes that the client's system received, even if the transfer failed later. Unsure bytes
 * were in transit when the connection was lost.
 */
export type Delivered = (range: ByteRange, isSure: boolean) => void

/** Writes the body of one response, block by block. */
export class Pump {
  #fastBlocks = 0
  #text = ''
  #isLost: boolean
  #giveUp: ((error: ConnectionLost) => void) | undefined

  /**
   * `begin` sets status and headers just before the first byte, so that an earlier error can still
   * be reported.
   */
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

  /**
   * Sends the pieces of a body and ends the response. Throws ConnectionLost, and what `fill`
   * throws. Then the source may still be read.
   */
  async send(source: Source, pieces: readonly Piece[], delivered: Delivered): Promise<void> {
    for (const piece of pieces) {
      if (typeof piece === 'string') this.#text += piece
      else await this.#sendRange(source, piece, pieces.length === 1, delivered)
    }
    if (!this.response.writableEnded) await this.#until((done) => this.response.end(done))
  }

  /** `isBody`: it is the whole body. In one block, it ends the response too. */
  async #sendRange(
    source: Source,
    { start, end }: ByteRange,
    isBody: boolean,
    delivered: Delivered,
  ): Promise<void> {
    let accepted = start
    let position = start
    let ahead: Lease | undefined

    const letGo = () => {
      ahead?.(() => undefined).catch(() => undefined)
      ahead = undefined
    }

    try {
      while (position <= end) {
        const lease: Lease =
          ahead ?? this.blocks.take(source, { start: position, end }, this.#isFast)
        ahead = undefined

        await lease(async (bytes, isShared) => {
          position += bytes.length
          // The last of many blocks must not end the response: a closing server destroys the
          // connections of ended ones.
          if (position > end) return this.#write(bytes, isBody && bytes.length === end - start + 1)

          // Replies that share blocks overlap anyway, and stay together if none runs ahead.
          ahead =
            this.#isFast && !isShared
              ? this.blocks.takeLarge(source, { start: position, end })
              : undefined

          // A client that rests holds one block.
          const resting = ahead && setTimeout(letGo, FAST_MS)
          const writtenAt = performance.now()
          await this.#write(bytes, false).finally(() => clearTimeout(resting))
          this.#fastBlocks = performance.now() - writtenAt < FAST_MS ? this.#fastBlocks + 1 : 0
        })
        accepted = position
      }
    } finally {
      letGo()
      if (accepted > start) delivered({ start, end: accepted - 1 }, true)
      if (position > accepted) delivered({ start: accepted, end: position - 1 }, false)
    }
  }

  get #isFast(): boolean {
    return this.#fastBlocks >= FAST_BLOCKS
  }

  /** Returns once the system has accepted the bytes; until then they must not change. */
  async #write(bytes: Buffer, isEnd: boolean): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const share = this.flow.take(bytes.length - at)
      const part = bytes.subarray(at, at + (typeof share === 'number' ? share : await share))
      at += part.length
      const isLast = isEnd && at === bytes.length
      await this.#until((done) =>
        isLast ? this.response.end(part, done) : this.response.write(part, done),
      )
    }
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
