import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Log } from '../../core/logging/log'
import { TOO_MUCH, type MakeResult, type Shape } from './pictures'

/** A picture to make from a file that anybody may have sent. */
export interface PictureJob {
  path: string
  /** Owners take turns, so that many pictures of one delay those of others by a single one. */
  ownerId: string
  shape: Shape
}

/** A request to the worker. */
export type PictureOrder = Omit<PictureJob, 'ownerId'>

export interface MakerLimits {
  /** Timeout for one picture, in ms. */
  patienceMs: number
  /** Memory for libvips and decoded pictures, in pages of 64 KiB; at least 4096. */
  memoryPages: number
}

const USUAL: MakerLimits = { patienceMs: 30_000, memoryPages: 8192 }
/** Startup timeout of the worker on a busy computer, in ms. */
const START_MS = 15_000
/** An idle worker ends after this, in ms: it would hold 100 MB. */
const IDLE_MS = 10_000

const STOPPED: MakeResult = { reason: 'The host stopped while it read the picture. Send it again.', problem: 'content' }
/** The worker is next to this file, in the source and in the bundle (also within app.asar). */
const WORKER = new URL(`picture-worker${extname(import.meta.url)}`, import.meta.url)

interface Waiting {
  job: PictureJob
  resolve: (result: MakeResult) => void
}

/** Makes pictures from untrusted files, one at a time, in a worker with limited time and memory. */
export class PictureMaker {
  readonly #limits: MakerLimits
  #worker: Worker | undefined
  /** By owner, served in this order. */
  readonly #waiting = new Map<string, Waiting[]>()
  #isMaking = false
  #idle: NodeJS.Timeout | undefined
  readonly #stopped = new WeakSet<Worker>()

  constructor(
    private readonly log: Pick<Log, 'warn' | 'debug'>,
    limits: Partial<MakerLimits> = {},
  ) {
    this.#limits = { ...USUAL, ...limits }
  }

  /** Makes a picture in the sizes of its shape, or says why not. Never throws. */
  make(job: PictureJob): Promise<MakeResult> {
    const queue = this.#waiting.get(job.ownerId) ?? []
    return new Promise((resolve) => {
      this.#waiting.set(job.ownerId, queue)
      queue.push({ job, resolve })
      if (!this.#isMaking) void this.#makeAll()
    })
  }

  /** Whether the worker runs: it starts with the first picture, and ends when idle. */
  get isRunning(): boolean {
    return this.#worker !== undefined
  }

  /** Ends the worker; the picture being made is not made. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    if (worker) this.#stopped.add(worker)
    await worker?.terminate()
  }

  async #makeAll(): Promise<void> {
    this.#isMaking = true
    for (let next = this.#next(); next; next = this.#next()) next.resolve(await this.#make(next.job))
    this.#isMaking = false
  }

  /** Takes the oldest job of the owner whose turn it is. */
  #next(): Waiting | undefined {
    const [first] = this.#waiting
    if (!first) return undefined
    const [ownerId, queue] = first
    this.#waiting.delete(ownerId)
    const next = queue.shift()
    if (queue.length > 0) this.#waiting.set(ownerId, queue)
    return next
  }

  async #make(job: PictureJob): Promise<MakeResult> {
    clearTimeout(this.#idle)
    const startMs = this.#worker ? 0 : START_MS
    const worker = (this.#worker ??= this.#started())
    const { promise, resolve } = Promise.withResolvers<MakeResult>()
    const giveUp = () => resolve(this.#stopped.has(worker) ? STOPPED : TOO_MUCH)
    const onTime = setTimeout(() => {
      this.log.debug({}, 'a picture took too long to read')
      void worker.terminate()
    }, startMs + this.#limits.patienceMs)
    worker.once('message', resolve).once('exit', giveUp)
    worker.postMessage({ path: job.path, shape: job.shape } satisfies PictureOrder)
    const result = await promise
    clearTimeout(onTime)
    worker.off('message', resolve).off('exit', giveUp)
    this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
    return result
  }

  #started(): Worker {
    const worker = new Worker(WORKER, {
      workerData: { memoryPages: this.#limits.memoryPages },
      resourceLimits: { maxOldGenerationSizeMb: 64 },
      env: {},
    })
    worker.unref()
    worker.on('error', (err: unknown) => this.log.warn({ err }, 'a picture crashed its reader'))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }
}
