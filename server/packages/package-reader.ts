import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Log } from '../core/logging/log'
import { packageKindOf } from './package-kinds'

/** A file that may be a package. */
export interface PackageJob {
  filename: string
  /** In bytes. */
  size: number
  /** Absolute. */
  path: string
}

export interface ReaderLimits {
  /** How long one package may take, in ms. */
  patienceMs: number
  /** How much the reader may remember, in MiB; less is what a worker needs by itself. */
  memoryMb: number
}

const USUAL: ReaderLimits = { patienceMs: 3000, memoryMb: 64 }
/** A busy machine takes its time to start a worker, in ms. */
const START_MS = 5000
/** Whoever waits longer than this behind other packages has no version, in ms. */
const LONGEST_WAIT_MS = 5000
/** A reader without work ends after this, in ms: it would hold 10 MB for nothing. */
const IDLE_MS = 10_000

/** Where the worker lies: beside this file, in the bundle (also within app.asar) as in the source. */
const WORKER = new URL(`package-worker${extname(import.meta.url)}`, import.meta.url)

/**
 * Reads packages, which may be made to crash, to stall or to use up their reader, in a worker of limited time and memory:
 * one at a time. The worker starts when it is needed.
 */
export class PackageReader {
  readonly #limits: ReaderLimits
  #worker: Worker | undefined
  #tail: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined

  constructor(
    private readonly log: Pick<Log, 'warn' | 'debug'>,
    limits: Partial<ReaderLimits> = {},
  ) {
    this.#limits = { ...USUAL, ...limits }
  }

  /** The version that the package tells. Null: it tells none, or could not be read. Never throws. */
  versionOf(job: PackageJob): Promise<string | null> {
    if (!packageKindOf(job.filename)) return Promise.resolve(null)
    const since = performance.now()
    const reading = this.#tail.then(() => (performance.now() - since > LONGEST_WAIT_MS ? null : this.#read(job)))
    this.#tail = reading
    return reading
  }

  /** What is being read has no version. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  async #read(job: PackageJob): Promise<string | null> {
    clearTimeout(this.#idle)
    const startMs = this.#worker ? 0 : START_MS
    const worker = (this.#worker ??= this.#started())
    const { promise, resolve } = Promise.withResolvers<string | null>()
    const giveUp = () => resolve(null)
    const onTime = setTimeout(() => {
      this.log.debug({ file: job.filename }, 'a package took too long to read')
      void worker.terminate()
    }, startMs + this.#limits.patienceMs)
    worker.once('message', resolve).once('exit', giveUp)
    worker.postMessage(job)
    const version = await promise
    clearTimeout(onTime)
    worker.off('message', resolve).off('exit', giveUp)
    this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
    return version
  }

  #started(): Worker {
    const { memoryMb } = this.#limits
    const worker = new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: memoryMb }, env: {} })
    worker.unref()
    worker.on('error', (err: unknown) => this.log.warn({ err }, 'a package crashed its reader'))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }
}
