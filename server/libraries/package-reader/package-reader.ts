import { extname } from 'node:path'
import { toDeviceList } from '../../contract/files/device-list'
import { factsSchema } from '../../contract/files/facts'
import { isIndexed, INDEX_BYTES, packageIndexSchema } from '../../contract/files/package-index'
import { LimitedWorker } from '../../core/limited-worker'
import type { Log } from '../../core/logging/log'
import { isSmallPng } from '../../core/small-png'
import type { IndexResult } from './look'
import type { ReadResult } from './look-inside'
import { readExtension } from '../../contract/files/formats'

/** A file that may be a package. */
export interface PackageJob {
  filename: string
  /** Bytes. */
  size: number
  path: string
  /**
   * Packages are read round-robin by owner, so that many of one owner delay those of others by one
   * at most.
   */
  ownerId: string
}

export interface ReaderLimits {
  /** Timeout for one package, in ms. */
  patienceMs: number
  /** Memory for the reader in MiB, in addition to what a worker needs itself. */
  memoryMb: number
}

/** The worker is next to this file, in the source and in the bundle (also within app.asar). */
const WORKER = new URL(`package-worker${extname(import.meta.url)}`, import.meta.url)

const DAMAGED: ReadResult = { reason: 'The package is damaged.' }
const USUAL = {
  script: WORKER,
  noun: 'package',
  patienceMs: 3000,
  startMs: 5000,
  memoryMb: 64,
  tooMuch: { reason: 'Reading the package takes too much time or memory.' },
  stopped: { reason: 'The host stopped while it read the package.', retry: true },
  late: {
    afterMs: 5000,
    result: { reason: 'The host was too busy to read the package.', retry: true },
  },
} as const

/** Reads untrusted packages, one at a time, in a worker with limited time and memory. */
export class PackageReader {
  readonly #worker: LimitedWorker<PackageJob, ReadResult>

  constructor(log: Pick<Log, 'warn' | 'debug'>, limits: Partial<ReaderLimits> = {}) {
    this.#worker = new LimitedWorker<PackageJob, ReadResult>(log, { ...USUAL, ...limits })
  }

  /** Reads the facts of a package, or why it cannot be read. Never throws. */
  async look(job: PackageJob): Promise<ReadResult> {
    if (!readExtension(job.filename)) return { look: null }
    return checkResult(await this.#worker.ask({ task: job, ownerId: job.ownerId, key: job.path }))
  }

  /** Ends the worker; the package being read gets no facts. */
  close(): Promise<void> {
    return this.#worker.close()
  }
}

/**
 * Validates a result, as a worker that read hostile bytes may answer anything. Messages turn a
 * Buffer into a plain Uint8Array.
 */
function checkResult(result: ReadResult): ReadResult {
  if (!('look' in result) || result.look === null) return result
  const facts = factsSchema.safeParse(result.look.facts)
  if (!facts.success) return DAMAGED
  const icon = result.look.icon && Buffer.from(result.look.icon)
  const devices = toDeviceList(result.look.devices)
  const look = {
    facts: facts.data,
    icon: icon && isSmallPng(icon) ? icon : null,
    ...(devices && { devices }),
  }
  return {
    look: isIndexed(facts.data.kind) ? { ...look, index: checkedIndex(result.look.index) } : look,
  }
}

const NO_INDEX = {
  reason: 'Slipway could not read everything that a repository needs of this package.',
}

function checkedIndex(index: IndexResult | undefined): IndexResult {
  if (index && 'reason' in index) return { reason: index.reason.slice(0, 200) }
  const checked = packageIndexSchema.safeParse(index)
  if (!checked.success) return NO_INDEX
  const isSmall = Buffer.byteLength(JSON.stringify(checked.data)) <= INDEX_BYTES
  return isSmall
    ? checked.data
    : { reason: 'This package says more about itself than a repository can list.' }
}
