import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Digester, type Digests } from './digests'

/** The digests of a file that is being written. */
export interface FileHash {
  written(upTo: number, chunks: readonly Buffer[]): void
  digests(bytes: number): Promise<Digests>
  stop(): Promise<void>
}

/** A request to the worker. */
export interface HashOrder {
  id: number
  path?: string
  /** With the path: whether to compute the CRC-32 too. */
  withCrc32?: boolean
  /** Default 0: nothing more. */
  upTo?: number
  /** Replies with the digests and closes the file. */
  isLast?: boolean
}

interface HashAnswer {
  id: number
  /** Undefined: the worker could not read the file. */
  digests?: Digests
}

/** Each message wakes a thread, so the worker follows in steps of this size. */
const FOLLOW_BYTES = 2 * 1024 * 1024
/** An idle worker ends after this, in ms: it would hold 10 MB. */
const IDLE_MS = 10_000
/** Limits the heap of the worker, in MiB. */
const LIMITS = {
  maxYoungGenerationSizeMb: 1,
  maxOldGenerationSizeMb: 16,
  codeRangeSizeMb: 4,
  stackSizeMb: 1,
}
/** The worker is next to this file, in the source and in the bundle (also within app.asar). */
const WORKER = new URL(`hash-worker${extname(import.meta.url)}`, import.meta.url)

let worker: Worker | undefined
let idle: NodeJS.Timeout | undefined
let nextId = 0
const jobs = new Map<number, (digests: Digests | undefined) => void>()

/** Hashes in this thread, at about half a millisecond per MiB. */
export function hashHere(): FileHash {
  const digester = new Digester({ withCrc32: false })
  return {
    written: (_upTo, chunks) => chunks.forEach((chunk) => digester.update(chunk)),
    digests: () => Promise.resolve(digester.digests()),
    stop: () => Promise.resolve(),
  }
}

/**
 * Hashes in a shared worker, which reads the file after its writer. If the worker fails, hashes the
 * file on this thread.
 */
export function hashAside(path: string, { withCrc32 = false } = {}): FileHash {
  const id = nextId++
  const ended = Promise.withResolvers<Digests | undefined>()
  jobs.set(id, ended.resolve)
  clearTimeout(idle)

  const send = (order: Omit<HashOrder, 'id'>) => {
    if (jobs.has(id)) (worker ??= startWorker()).postMessage({ id, ...order } satisfies HashOrder)
  }
  send({ path, withCrc32 })

  let followed = 0
  return {
    written(upTo) {
      if (upTo - followed < FOLLOW_BYTES) return
      followed = upTo
      send({ upTo })
    },
    async digests(bytes) {
      send({ upTo: bytes, isLast: true })
      return (await ended.promise) ?? readDigests(path, withCrc32)
    },
    async stop() {
      send({ isLast: true })
      await ended.promise
    },
  }
}

async function readDigests(path: string, withCrc32: boolean): Promise<Digests> {
  const digester = new Digester({ withCrc32 })
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    digester.update(chunk as Buffer)
  return digester.digests()
}

function startWorker(): Worker {
  const starting = new Worker(WORKER, { resourceLimits: LIMITS, env: {} })
  starting.unref()
  starting.on('message', ({ id, digests }: HashAnswer) => endJob(id, digests))
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
  if (jobs.size > 0) return
  clearTimeout(idle)
  idle = setTimeout(rest, IDLE_MS).unref()
}

function rest(): void {
  const resting = worker
  worker = undefined
  resting?.terminate().catch(() => undefined)
}
