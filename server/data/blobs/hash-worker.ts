import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { Digester } from './digests.ts'
import type { HashOrder } from './file-hash.ts'

// Node also runs this file unbundled: imports must name `.ts` files, and types must be erasable.

interface Job {
  fd: number
  digester: Digester
  at: number
  upTo: number
  isLast: boolean
}

const jobs = new Map<number, Job>()
const slab = Buffer.allocUnsafeSlow(256 * 1024)
let isWorking = false

parentPort?.on('message', (order: HashOrder) => {
  const { id, path, withCrc32 = false, upTo = 0, isLast = false } = order
  attempt(id, () => {
    const job = jobs.get(id)
    if (job) return Object.assign(job, { upTo, isLast })
    if (path === undefined) return

    const digester = new Digester({ withCrc32 })
    jobs.set(id, { fd: openSync(path, 'r'), digester, at: 0, upTo, isLast })
  })

  if (isWorking) return
  isWorking = true
  work()
})

/**
 * Hashes one block of each file per round, so that a small upload does not wait for a large one.
 */
function work(): void {
  for (const [id, job] of jobs) attempt(id, () => step(id, job))
  isWorking = [...jobs.values()].some(({ at, upTo }) => at < upTo)
  if (isWorking) setImmediate(work)
}

function step(id: number, job: Job): void {
  if (job.at < job.upTo) {
    const read = readSync(job.fd, slab, 0, Math.min(slab.length, job.upTo - job.at), job.at)
    if (read === 0) throw new Error('The file is shorter than what was written')
    job.digester.update(slab.subarray(0, read))
    job.at += read
  }
  if (job.isLast && job.at >= job.upTo) end(id, { digests: job.digester.digests() })
}

function attempt(id: number, act: () => unknown): void {
  try {
    act()
  } catch {
    end(id, {})
  }
}

function end(id: number, answer: object): void {
  const job = jobs.get(id)
  jobs.delete(id)
  if (job) closeSync(job.fd)
  parentPort?.postMessage({ id, ...answer })
}
