import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from './api/load'
import { fillHost, OWNER } from './library/full-host'
import { head, percentile, row } from './support/figures'
import { buildWorkers, Worker } from './support/workers'

/**
 * Lists of a full host against Node's own HTTP server, which sends the same bytes, in turns: `npm run bench -- api`.
 * BENCH_SECONDS (2) is how long each turn takes.
 */
const MS = Number(process.env.BENCH_SECONDS ?? 2) * 1000
const ROUNDS = 3
const lists = [
  '/api/files/my-files?limit=50',
  '/api/files/public?limit=50',
  '/api/projects?limit=20',
  '/api/auth/check',
]

interface Host {
  url: string
  key: string
}

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-api-'))
const workers = await buildWorkers(join(dir, 'bundle'))
const bare = await Worker.start<{ url: string }>(workers['bare-worker'])
try {
  console.log('16 clients; the ratio is that of requests a second; p99 in ms.\n')
  head('list', 'records', 'requests/s', 'p99', 'bare Node/s', 'bare p99', 'ratio')
  for (const records of [1000, 10_000, 100_000]) await measureLists(records)
} finally {
  await bare.stop()
  await rm(dir, { recursive: true, force: true })
}

async function measureLists(records: number): Promise<void> {
  const dataDir = join(dir, `host-${records}`)
  await mkdir(dataDir, { mode: 0o700 })
  await fillHost(dataDir, records, records / 100)
  const host = await Worker.start<Host>(workers['host-worker'], dataDir, OWNER)
  try {
    for (const path of lists) await measure(host.hello, path, records)
  } finally {
    await host.stop()
  }
}

async function measure({ url, key }: Host, path: string, records: number): Promise<void> {
  const headers = { 'x-api-key': key }
  await bare.tell(await (await fetch(url + path, { headers })).text())
  const [ours, theirs]: [number[][], number[][]] = [[], []]
  await load(url + path, headers, MS / 4)
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(await load(bare.hello.url, {}, MS / ROUNDS))
    ours.push(await load(url + path, headers, MS / ROUNDS))
  }
  const rateOf = (took: number[][]) => (took.flat().length * 1000) / MS
  const p99Of = (took: number[][]) => percentile(took.flat(), 99).toFixed(1)
  const [our, their] = [rateOf(ours), rateOf(theirs)]
  const figures = [our.toFixed(0), p99Of(ours), their.toFixed(0), p99Of(theirs), (our / their).toFixed(2)]
  row(`\`${path}\``, records.toLocaleString('en'), ...figures)
}
