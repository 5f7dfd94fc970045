import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { Digester } from './digests.ts'
import type { HashOrder } from './file-hash.ts'

// Node also runs this file unbundled: imports must name `.ts` files, and types must be erasable.

interface Job {
  fd: number
  digester: Digester
  at: number
}

const jobs = new Map<number, Job>()
const slab = Buffer.allocUnsafeSlow(256 * 1024)

parentPort?.on('message', (order: HashOrder) => {
  try {
    obey(order)
  } catch {
    end(order.id, {})
  }
})

function obey({ id, path, upTo = 0, isLast = false }: HashOrder): void {
  if (path !== undefined) jobs.set(id, { fd: openSync(path, 'r'), digester: new Digester(), at: 0 })
  const job = jobs.get(id)
  if (!job) return
  while (job.at < upTo) {
    const read = readSync(job.fd, slab, 0, Math.min(slab.length, upTo - job.at), job.at)
    if (read === 0) throw new Error('The file is shorter than what was written')
    job.digester.update(slab.subarray(0, read))
    job.at += read
  }
  if (isLast) end(id, { digests: job.digester.digests() })
}

function end(id: number, answer: object): void {
  const job = jobs.get(id)
  jobs.delete(id)
  if (job) closeSync(job.fd)
  parentPort?.postMessage({ id, ...answer })
}
