import { Worker } from 'node:worker_threads'
import type { Digests } from './digests'

/** A worker without work ends after this, in ms: it would hold 10 MB for nothing. */
const IDLE_MS = 10_000

/** It has little to remember, in MiB. */
const LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16, codeRangeSizeMb: 4, stackSizeMb: 1 }

/**
 * What runs in the worker: it follows files while they are written, by reading them from the system's cache. It is text
 * so that it is the same from source, in the bundle, and inside app.asar, where a worker cannot be given a path.
 */
const SOURCE = `
const { parentPort } = require('node:worker_threads')
const { createHash } = require('node:crypto')
const { closeSync, openSync, readSync } = require('node:fs')
const { crc32 } = require('node:zlib')

const jobs = new Map()
const slab = Buffer.allocUnsafeSlow(256 * 1024)

function follow(job, upTo) {
  while (job.at < upTo) {
    const read = readSync(job.fd, slab, 0, Math.min(slab.length, upTo - job.at), job.at)
    if (read === 0) throw new Error('The file is shorter than what was written')
    const chunk = slab.subarray(0, read)
    job.hash.update(chunk)
    job.crc32 = crc32(chunk, job.crc32)
    job.at += read
  }
}

function end(id, answer) {
  const job = jobs.get(id)
  jobs.delete(id)
  if (job) closeSync(job.fd)
  parentPort.postMessage({ id, ...answer })
}

parentPort.on('message', ({ id, path, upTo, order }) => {
  try {
    if (order === 'begin') jobs.set(id, { fd: openSync(path, 'r'), hash: createHash('sha256'), crc32: 0, at: 0 })
    const job = jobs.get(id)
    if (job && order !== 'stop') follow(job, upTo)
    if (order === 'digest') end(id, job ? { digests: { sha256: job.hash.digest('hex'), crc32: job.crc32 } } : {})
    if (order === 'stop') end(id, {})
  } catch {
    end(id, {})
  }
})
`

interface Message {
  id: number
  order: 'begin' | 'follow' | 'digest' | 'stop'
  path?: string
  /** How far the file may be read. */
  upTo?: number
}

type Answer = (digests: Digests | undefined) => void

/** A hash that a worker computes. */
export interface HashJob {
  /** The file is written up to here. */
  follow(upTo: number): void
  /** Those of so many bytes; undefined: the worker has failed. */
  digest(upTo: number): Promise<Digests | undefined>
  /** Gives up. Returns when the file is no longer open. */
  stop(): Promise<void>
}

let worker: Worker | undefined
let nextId = 0
let idle: NodeJS.Timeout | undefined
/** Who waits for the end of which job; a job that nobody waits for yet has a place too. */
const jobs = new Map<number, Answer>()

/** Begins to hash a file that is being written. One worker serves all. */
export function hashInWorker(path: string): HashJob {
  const id = nextId++
  const ended = Promise.withResolvers<Digests | undefined>()
  jobs.set(id, ended.resolve)
  clearTimeout(idle)
  const send = (message: Omit<Message, 'id'>) => {
    if (jobs.has(id)) (worker ??= started()).postMessage({ id, ...message } satisfies Message)
  }
  send({ order: 'begin', path, upTo: 0 })
  return {
    follow: (upTo) => send({ order: 'follow', upTo }),
    digest(upTo) {
      send({ order: 'digest', upTo })
      return ended.promise
    },
    async stop() {
      send({ order: 'stop' })
      await ended.promise
    },
  }
}

function started(): Worker {
  const starting = new Worker(SOURCE, { eval: true, resourceLimits: LIMITS })
  starting.unref()
  starting.on('message', ({ id, digests }: { id: number; digests?: Digests }) => endJob(id, digests))
  starting.on('error', () => undefined)
  starting.on('exit', () => {
    if (worker !== starting) return
    worker = undefined
    for (const id of [...jobs.keys()]) endJob(id, undefined)
  })
  return starting
}

function endJob(id: number, digests: Digests | undefined): void {
  jobs.get(id)?.(digests)
  jobs.delete(id)
  if (jobs.size > 0 || !worker) return
  idle = setTimeout(rest, IDLE_MS).unref()
}

function rest(): void {
  const resting = worker
  worker = undefined
  resting?.terminate().catch(() => undefined)
}
