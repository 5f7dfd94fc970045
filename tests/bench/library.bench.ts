import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillHost } from './library/full-host'
import { measureHost, measureManyWriters } from './library/measure-host'
import { head, percentile, row } from './support/figures'
import { buildWorkers, Worker } from './support/workers'

/** A full host: `npm run bench -- library`. BENCH_FILES (100000) is how many files it has. */
const FILES = Number(process.env.BENCH_FILES ?? 100_000)
const PROJECTS = 1000
const STARTS = 5

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-library-'))
const workers = await buildWorkers(join(dir, 'bundle'))
const full = join(dir, 'host')

try {
  console.log(`${FILES.toLocaleString('en')} files and ${PROJECTS.toLocaleString('en')} projects of 50 people.\n`)
  head('what', 'figure', 'target')
  await mkdir(full, { mode: 0o700 })
  await fillHost(full, FILES, PROJECTS)
  await measureLoad(full)
  await measureHost(workers['host-worker'], full, { p95: 100, p99: 50, stall: 50, start: 3000, rss: 600 })
  await measureManyWriters(join(dir, 'writers'))
} finally {
  await rm(dir, { recursive: true, force: true })
}

/** The library alone, in a process of its own, as a start is. */
async function measureLoad(dataDir: string): Promise<void> {
  const loads: { ms: number; rss: number }[] = []
  for (let n = 0; n < STARTS; n++) {
    const loader = await Worker.start<{ ms: number; rss: number }>(workers['load-worker'], dataDir)
    loads.push(loader.hello)
    await loader.stop()
  }
  const median = (values: number[]) => percentile(values, 50).toFixed(0)
  row('loading the library', `${median(loads.map(({ ms }) => ms))} ms`, '≤ 200 ms')
  row('memory of a process that has loaded it', `${median(loads.map(({ rss }) => rss))} MiB`, '≤ 130 MiB')
}
