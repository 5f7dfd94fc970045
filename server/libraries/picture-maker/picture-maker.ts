import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { LimitedWorker } from '../../core/limited-worker'
import type { Log } from '../../core/logging/log'
import { LATE, TOO_MUCH, type Card, type MakeResult, type Shape } from './pictures'

/** A picture to make from an untrusted file. */
export interface PictureJob {
  path: string
  /**
   * Pictures are made round-robin by owner, so that many of one owner delay those of others by one
   * at most.
   */
  ownerId: string
  shape: Shape
}

/** A request to the worker, and its reply. */
export type PictureOrder = Omit<PictureJob, 'ownerId'> | { card: Card }
export type PictureReply = MakeResult | { png: Uint8Array }

export interface MakerLimits {
  /** Timeout for one picture, in ms. */
  patienceMs: number
  /** Longest time in the queue, in ms. */
  lateMs: number
  /** Memory for libvips and decoded pictures, in pages of 64 KiB; at least 4096. */
  memoryPages: number
}

/** The worker is next to this file, in the source and in the bundle (also within app.asar). */
const WORKER = new URL(`picture-worker${extname(import.meta.url)}`, import.meta.url)

/** Longest time in the queue, in ms. */
const LATE_MS = 15_000

const STOPPED: MakeResult = {
  reason: 'The host stopped while it read the picture. Send it again.',
  problem: 'content',
}

/** Makes pictures from untrusted files, one at a time, in a worker with limited time and memory. */
export class PictureMaker {
  readonly #worker: LimitedWorker<PictureOrder, PictureReply>

  constructor(
    log: Pick<Log, 'warn' | 'debug'>,
    { patienceMs = 30_000, lateMs = LATE_MS, memoryPages = 8192 }: Partial<MakerLimits> = {},
  ) {
    this.#worker = new LimitedWorker<PictureOrder, PictureReply>(log, {
      script: WORKER,
      noun: 'picture',
      patienceMs,
      startMs: 15_000,
      memoryMb: 64,
      workerData: { memoryPages },
      tooMuch: TOO_MUCH,
      stopped: STOPPED,
      late: { afterMs: lateMs, result: LATE },
    })
  }

  /**
   * Makes a picture in the sizes of its shape, or returns the reason for a failure. Never throws.
   */
  async make({ ownerId, ...order }: PictureJob): Promise<MakeResult> {
    const reply = await this.#worker.ask({ task: order, ownerId, key: await hashFile(order.path) })
    return 'png' in reply ? TOO_MUCH : reply
  }

  /**
   * Draws a card as PNG. Returns undefined if that exceeds a limit, and `late` if the queue is too
   * long. All cards share one place in the round-robin queue. `key`: identifies the content of the
   * card.
   */
  async draw(card: Card, key: string): Promise<Buffer | 'late' | undefined> {
    const reply = await this.#worker.ask({ task: { card }, ownerId: '', key })
    if (reply === LATE) return 'late'
    return 'png' in reply ? Buffer.from(reply.png) : undefined
  }

  /** Whether the worker runs: it starts with the first picture, and ends when idle. */
  get isRunning(): boolean {
    return this.#worker.isRunning
  }

  /** Ends the worker; the picture being made is not made. */
  close(): Promise<void> {
    return this.#worker.close()
  }
}

/** Cache key by content: files with equal bytes share it. */
async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  // The worker reports unreadable files.
  await pipeline(createReadStream(path), hash).catch(() => undefined)
  return hash.digest('hex')
}
