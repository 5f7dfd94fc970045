import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fillHost } from './library/full-host'
import { measureHost } from './library/measure-host'
import { Library } from '../../server/storage/library'

/** How fast the library is here: `tsx tests/bench/library.bench.ts [files]`. */

interface BenchFile {
  id: string
  ownerId: string
  filename: string
  size: number
  sha256: string
  blobId: string
  isPublic: boolean
  version: string | null
  uploadedAt: string
}

const log = { info: () => undefined, error: (fields: object, message: string) => console.error(message, fields) }
const hex = (n: number, length: number) => n.toString(16).padStart(length, '0')

const benchFile = (n: number): BenchFile => ({
  id: `file${hex(n, 28)}`,
  ownerId: `user${hex(n % 50, 28)}`,
  filename: `build-${n}-release.apk`,
  size: 1000 + n,
  sha256: hex(n, 64),
  blobId: hex(n, 32),
  isPublic: n % 3 === 0,
  version: n % 2 === 0 ? `1.${n}.0` : null,
  uploadedAt: new Date(1.7e12 + n * 1000).toISOString(),
})

function indexed(library: Library) {
  const files = library.collection<BenchFile>('files')
  files.index((file) => file.ownerId)
  files.index((file) => (file.isPublic ? 'public' : undefined))
  files.sum(
    (file) => file.ownerId,
    (file) => file.size,
  )
  return files
}

async function fill(library: Library, count: number): Promise<void> {
  const files = indexed(library)
  for (let from = 0; from < count; from += 1000) {
    await library.transact((tx) => {
      for (let n = from; n < Math.min(from + 1000, count); n++) {
        const file = benchFile(n)
        tx.put(files, file.id, file)
        tx.setCounter(`downloads:${file.id}`, n)
      }
    })
  }
}

/** Durable transactions per second, a file and a counter in each. */
async function rate(library: Library, clients: number, seconds: number): Promise<number> {
  const files = library.collection<BenchFile>('files')
  const until = performance.now() + seconds * 1000
  let done = 0
  const client = async () => {
    while (performance.now() < until) {
      const file = benchFile(done++ % 10_000)
      await library.transact((tx) => {
        tx.put(files, file.id, file)
        tx.setCounter(`downloads:${file.id}`, done)
      })
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return done / seconds
}

async function stall(work: () => Promise<unknown>): Promise<{ took: number; longest: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  await pause(50)
  delay.enable()
  await pause(20)
  delay.reset()
  const start = performance.now()
  await work()
  const took = performance.now() - start
  delay.disable()
  return { took, longest: delay.max / 1e6 }
}

const print = (what: string, value: number, unit: string) =>
  console.log(`${what.padEnd(60)}${value.toFixed(1).padStart(10)} ${unit}`)

async function measureWriting(dir: string, count: number): Promise<void> {
  const library = await Library.open({ dir, log })
  await fill(library, count)
  await library.checkpoint()
  const snapshot = await stall(() => library.checkpoint())
  print(`snapshot of ${count} files and counters`, snapshot.took, 'ms')
  print('  longest stall', snapshot.longest, 'ms')
  const busy = await stall(() => Promise.all([library.checkpoint(), rate(library, 16, 1)]))
  print('  longest stall with 16 writers', busy.longest, 'ms')
  for (const clients of [1, 16, 128]) print(`${clients} clients`, await rate(library, clients, 2), 'durable tx/s')
  await library.checkpoint()
  await library.close()
}

/** In a process of its own, as a start is. */
async function measureLoading(dir: string): Promise<void> {
  const start = performance.now()
  const library = await Library.open({ dir, log })
  print('load', performance.now() - start, 'ms')
  const indexing = performance.now()
  indexed(library)
  print('  three indexes', performance.now() - indexing, 'ms')
  print('  memory of the process', process.memoryUsage().rss / 1024 ** 2, 'MiB')
  await library.close()
}

const [, script = '', count = '100000', loadFrom] = process.argv
if (loadFrom !== undefined) {
  await measureLoading(loadFrom)
} else {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  await measureWriting(dir, Number(count))
  spawnSync(process.execPath, [...process.execArgv, script, count, dir], { stdio: 'inherit' })
  await rm(dir, { recursive: true })
  const host = await mkdtemp(join(tmpdir(), 'slipway-bench-host-'))
  await fillHost(host, Number(count), 1000)
  await measureHost(host, print)
}
