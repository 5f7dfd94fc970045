import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillHost } from '../support/data/full-host'
import { measureHost, measureManyWriters } from './library/measure-host'
import { head } from './support/figures'
import { buildWorkers } from './support/workers'

/** A full host: `npm run bench -- library`. BENCH_FILES (100000) is how many files it has. */
const FILES = Number(process.env.BENCH_FILES ?? 100_000)
const PROJECTS = 1000
/** Of one project. */
const REPORTS = 10_000

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-library-'))
const workers = await buildWorkers(join(dir, 'bundle'))
const full = join(dir, 'host')

try {
  console.log(
    `${FILES.toLocaleString('en')} files and ${PROJECTS.toLocaleString('en')} projects of 50 people.\n`,
  )
  head('what', 'figure', 'target')
  await mkdir(full, { mode: 0o700 })
  await fillHost(full, FILES, PROJECTS, REPORTS)
  await measureHost(workers['host-worker'], full, {
    p95: 100,
    reports: 20,
    p99: 50,
    stall: 50,
    start: 3000,
    rss: 600,
  })
  await measureManyWriters(join(dir, 'writers'))
} finally {
  await rm(dir, { recursive: true, force: true })
}
