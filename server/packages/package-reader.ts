import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { factsSchema } from '../contract/facts'
import type { Log } from '../core/logging/log'
import { isSmallPng } from '../core/small-png'
import type { Found } from './look-inside'
import { packageExtension } from './package-names'

/** A file that may be a package. */
export interface PackageJob {
  filename: string
  /** In bytes. */
  size: number
  path: string
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

const TOO_BUSY: Found = { reason: 'The host was too busy to read the package.', retry: true }
const STOPPED: Found = { reason: 'The host stopped while it read the package.', retry: true }
const DAMAGED: Found = { reason: 'The package is damaged.' }
const TOO_MUCH: Found = { reason: 'Reading the package takes too much time or memory.' }

/** The worker is next to this file, in the source and in the bundle (also within app.asar). */
const WORKER = new URL(`package-worker${extname(import.meta.url)}`, import.meta.url)

/** Reads untrusted packages, one at a time, in a worker with limited time and memory. */
export class PackageReader {
  readonly #limits: ReaderLimits
  #worker: Worker | undefined
  #tail: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined
  readonly #stopped = new WeakSet<Worker>()

  constructor(
    private readonly log: Pick<Log, 'warn' | 'debug'>,
    limits: Partial<ReaderLimits> = {},
  ) {
    this.#limits = { ...USUAL, ...limits }
  }

  /** What the package says about itself, or why it cannot be read. Never throws. */
  look(job: PackageJob): Promise<Found> {
    if (!packageExtension(job.filename)) return Promise.resolve({ look: null })
    const since = performance.now()
    const reading = this.#tail.then(() => (performance.now() - since > LONGEST_WAIT_MS ? TOO_BUSY : this.#read(job)))
    this.#tail = reading
    return reading
  }

  /** Ends the worker; the package being read gets no facts. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    if (worker) this.#stopped.add(worker)
    await worker?.terminate()
  }

  async #read(job: PackageJob): Promise<Found> {
    clearTimeout(this.#idle)
    const startMs = this.#worker ? 0 : START_MS
    const worker = (this.#worker ??= this.#started())
    const { promise, resolve } = Promise.withResolvers<Found>()
    const giveUp = () => resolve(this.#stopped.has(worker) ? STOPPED : TOO_MUCH)
    const onTime = setTimeout(() => {
      this.log.debug({ file: job.filename }, 'a package took too long to read')
      void worker.terminate()
    }, startMs + this.#limits.patienceMs)
    worker.once('message', resolve).once('exit', giveUp)
    worker.postMessage(job)
    const found = await promise
    clearTimeout(onTime)
    worker.off('message', resolve).off('exit', giveUp)
    this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
    return checked(found)
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
function checked(found: Found): Found {
  if (!('look' in found) || found.look === null) return found
  const facts = factsSchema.safeParse(found.look.facts)
  if (!facts.success) return DAMAGED
  const icon = found.look.icon && Buffer.from(found.look.icon)
  return { look: { facts: facts.data, icon: icon && isSmallPng(icon) ? icon : null } }
}
