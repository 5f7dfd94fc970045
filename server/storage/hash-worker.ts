import { Worker } from 'node:worker_threads'

/** A worker without work ends after this, in ms: it would hold 10 MB for nothing. */
const IDLE_MS = 10_000

/**
 * What runs in the worker: it follows files while they are written, by reading them from the system's cache. It is text
 * so that it is the same from source, in the bundle, and inside app.asar, where a worker cannot be given a path.
 */
const SOURCE = `
const { parentPort } = require('node:worker_threads')
const { createHash } = require('node:crypto')
const { closeSync, openSync, readSync } = require('node:fs')

const jobs = new Map()
const slab = Buffer.allocUnsafeSlow(256 * 1024)

function follow(job, upTo) {
  while (job.at < upTo) {
    const read = readSync(job.fd, slab, 0, Math.min(slab.length, upTo - job.at), job.at)
    if (read === 0) throw new Error('The file is shorter than what was written')
    job.hash.update(slab.subarray(0, read))
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
    if (order === 'begin') jobs.set(id, { fd: openSync(path, 'r'), hash: createHash('sha256'), at: 0 })
    const job = jobs.get(id)
    if (job && order !== 'stop') follow(job, upTo)
    if (order === 'digest') end(id, { sha256: job?.hash.digest('hex') })
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

type Answer = (sha256: string | undefined) => void

/** A hash that a worker computes. */
export interface HashJob {
  /** The file is written up to here. */
  follow(upTo: number): void
  /** The SHA-256 of so many bytes, in hexadecimal; undefined: the worker has failed. */
  digest(upTo: number): Promise<string | undefined>
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
  const ended = Promise.withResolvers<string | undefined>()
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
  const starting = new Worker(SOURCE, { eval: true })
  starting.unref()
  starting.on('message', ({ id, sha256 }: { id: number; sha256?: string }) => endJob(id, sha256))
  starting.on('error', () => undefined)
  starting.on('exit', () => {
    if (worker !== starting) return
    worker = undefined
    for (const id of [...jobs.keys()]) endJob(id, undefined)
  })
  return starting
}

function endJob(id: number, sha256: string | undefined): void {
  jobs.get(id)?.(sha256)
  jobs.delete(id)
  if (jobs.size > 0 || !worker) return
  idle = setTimeout(rest, IDLE_MS).unref()
}

function rest(): void {
  const resting = worker
  worker = undefined
  void resting?.terminate()
}
