import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { factsSchema } from '../../contract/files/facts'
import { isIndexed, INDEX_BYTES, packageIndexSchema } from '../../contract/files/package-index'
import type { Log } from '../../core/logging/log'
import { isSmallPng } from '../../core/small-png'
import type { IndexResult } from './look'
import type { ReadResult } from './look-inside'
import { packageExtension } from './package-names'

/** A file that may be a package. */
export interface PackageJob {
  filename: string
  /** In bytes. */
  size: number
  path: string
  /** Owners take turns, so that many packages of one delay those of others by a single one. */
  ownerId: string
}

export interface ReaderLimits {
  /** Timeout for one package, in ms. */
  patienceMs: number
  /** Memory for the reader in MiB, in addition to what a worker needs itself. */
  memoryMb: number
}

const USUAL: ReaderLimits = { patienceMs: 3000, memoryMb: 64 }
/** Startup timeout of the worker on a busy computer, in ms. */
const START_MS = 5000
/** A package that waits longer in the queue gets no facts, in ms. */
const LONGEST_WAIT_MS = 5000
/** An idle worker ends after this, in ms: it would hold 10 MB. */
const IDLE_MS = 10_000
/** How long a package that took too much is not read again, in ms, and how many are remembered. */
const REST_MS = 60 * 60_000
const MOST_RESTING = 1000

const TOO_BUSY: ReadResult = { reason: 'The host was too busy to read the package.', retry: true }
const STOPPED: ReadResult = { reason: 'The host stopped while it read the package.', retry: true }
const DAMAGED: ReadResult = { reason: 'The package is damaged.' }
const TOO_MUCH: ReadResult = { reason: 'Reading the package takes too much time or memory.' }

/** The worker is next to this file, in the source and in the bundle (also within app.asar). */
const WORKER = new URL(`package-worker${extname(import.meta.url)}`, import.meta.url)

interface Waiting {
  job: PackageJob
  /** In ms, of `performance.now`. */
  since: number
  resolve: (result: ReadResult) => void
}

/** Reads untrusted packages, one at a time, in a worker with limited time and memory. */
export class PackageReader {
  readonly #limits: ReaderLimits
  #worker: Worker | undefined
  /** By owner, served in this order. */
  readonly #waiting = new Map<string, Waiting[]>()
  #isReading = false
  /** Until when a package rests, by path. */
  readonly #resting = new Map<string, number>()
  #idle: NodeJS.Timeout | undefined
  readonly #stopped = new WeakSet<Worker>()

  constructor(
    private readonly log: Pick<Log, 'warn' | 'debug'>,
    limits: Partial<ReaderLimits> = {},
  ) {
    this.#limits = { ...USUAL, ...limits }
  }

  /** Reads the facts of a package, or why it cannot be read. Never throws. */
  look(job: PackageJob): Promise<ReadResult> {
    if (!packageExtension(job.filename)) return Promise.resolve({ look: null })
    if ((this.#resting.get(job.path) ?? 0) > performance.now()) return Promise.resolve(TOO_MUCH)
    return new Promise((resolve) => {
      const queue = this.#waiting.get(job.ownerId) ?? []
      this.#waiting.set(job.ownerId, queue)
      queue.push({ job, since: performance.now(), resolve })
      if (!this.#isReading) void this.#readAll()
    })
  }

  /** Ends the worker; the package being read gets no facts. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    if (worker) this.#stopped.add(worker)
    await worker?.terminate()
  }

  async #readAll(): Promise<void> {
    this.#isReading = true
    for (let next = this.#next(); next; next = this.#next()) {
      const { job, since, resolve } = next
      const result = performance.now() - since > LONGEST_WAIT_MS ? TOO_BUSY : await this.#read(job)
      if (result === TOO_MUCH) this.#rest(job.path)
      resolve(result)
    }
    this.#isReading = false
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

  #rest(path: string): void {
    this.#resting.delete(path)
    this.#resting.set(path, performance.now() + REST_MS)
    const [oldest] = this.#resting.keys()
    if (this.#resting.size > MOST_RESTING && oldest !== undefined) this.#resting.delete(oldest)
  }

  async #read(job: PackageJob): Promise<ReadResult> {
    clearTimeout(this.#idle)
    const startMs = this.#worker ? 0 : START_MS
    const worker = (this.#worker ??= this.#started())
    const { promise, resolve } = Promise.withResolvers<ReadResult>()
    const giveUp = () => resolve(this.#stopped.has(worker) ? STOPPED : TOO_MUCH)
    const onTime = setTimeout(() => {
      this.log.debug({ file: job.filename }, 'a package took too long to read')
      void worker.terminate()
    }, startMs + this.#limits.patienceMs)
    worker.once('message', resolve).once('exit', giveUp)
    worker.postMessage(job)
    const result = await promise
    clearTimeout(onTime)
    worker.off('message', resolve).off('exit', giveUp)
    this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
    return checked(result)
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

/** A worker that read hostile bytes may answer anything; its messages turn a Buffer into a plain Uint8Array. */
function checked(result: ReadResult): ReadResult {
  if (!('look' in result) || result.look === null) return result
  const facts = factsSchema.safeParse(result.look.facts)
  if (!facts.success) return DAMAGED
  const icon = result.look.icon && Buffer.from(result.look.icon)
  const look = { facts: facts.data, icon: icon && isSmallPng(icon) ? icon : null }
  return { look: isIndexed(facts.data.kind) ? { ...look, index: checkedIndex(result.look.index) } : look }
}

const NO_INDEX = { reason: 'Slipway could not read everything that a repository needs of this package.' }

function checkedIndex(index: IndexResult | undefined): IndexResult {
  if (index && 'reason' in index) return { reason: index.reason.slice(0, 200) }
  const checked = packageIndexSchema.safeParse(index)
  if (!checked.success) return NO_INDEX
  const isSmall = Buffer.byteLength(JSON.stringify(checked.data)) <= INDEX_BYTES
  return isSmall ? checked.data : { reason: 'This package says more about itself than a repository can list.' }
}
