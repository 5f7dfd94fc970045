import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Library } from '../../../server/data/library/library'
import { percentile, row, times } from '../support/figures'
import { Worker } from '../support/workers'
import { OWNER } from '../../support/data/full-host'
import { collectionAs } from '../../support/data/temp-library'

const ROUNDS = 100
const reads = [
  '/api/files/my-files?limit=50',
  '/api/files/my-files',
  '/api/files/public?limit=50',
  '/api/projects?limit=20',
  '/api/projects',
  '/api/projects/my?limit=20',
  '/api/builds?limit=50',
  '/api/builds/stats',
  '/api/storage/stats',
]

const REPORTS = '/api/projects/project-0/reports?limit=50'

/** In every name, in some and in none; of one to many letters. */
const searches = ['public', 'my-files'].flatMap((list) =>
  ['e', '99', 'rel', '99-rel', 'release', 'nothing-has-this-name'].map(
    (text) => `/api/files/${list}?search=${text}&limit=50`,
  ),
)
const SEARCH_MS = 2

interface Figures {
  longest: number
  rss: number
  took: number
  cpu: number
}

/** The promised limits, in ms and MiB; an absent one is only printed. */
interface Targets {
  p95?: number
  /** Of the list of 10,000 reports. */
  reports?: number
  p99?: number
  stall?: number
  start?: number
  rss?: number
}

/** Operations that users of a full host wait for. */
export async function measureHost(script: string, dir: string, targets: Targets): Promise<void> {
  const say = (what: string, value: number, unit: string, target?: number) =>
    row(what, `${value.toFixed(1)} ${unit}`, target === undefined ? '' : `< ${target} ${unit}`)
  const worker = await Worker.start<{ url: string; key: string; started: number }>(
    script,
    dir,
    OWNER,
  )
  try {
    const { url, key, started } = worker.hello
    const ask = (path: string, init: RequestInit = {}) => askAt(url, key, path, init)
    say('cold start, from the process to listening', started, 'ms', targets.start)
    for (const path of [...reads, REPORTS]) {
      await times(5, () => ask(path))
      say(
        `p95 of \`GET ${path}\``,
        percentile(await times(ROUNDS, () => ask(path)), 95),
        'ms',
        path === REPORTS ? targets.reports : targets.p95,
      )
    }
    await measureSearches(worker, ask)
    await worker.tell('reset')
    const rename = (n: number) => ask('/api/projects/project-0', put({ title: `Project ${n}` }))
    say('p99 of a metadata write', percentile(await times(300, rename), 99), 'ms', targets.p99)
    say(
      'longest stall during these',
      (await worker.tell<Figures>('look')).longest,
      'ms',
      targets.stall,
    )
    const snapshot = worker.tell<Figures>('snapshot')
    const during = await whileRunning(snapshot, (n) =>
      Promise.all([rename(n), ask('/api/files/public?limit=50')]),
    )
    const { longest, took, rss } = await snapshot
    say('a snapshot, under writes and lists', took, 'ms')
    say('p99 of a write and a list meanwhile', percentile(during, 99), 'ms', targets.p99)
    say('longest stall meanwhile', longest, 'ms', targets.stall)
    say('memory of the server', rss, 'MiB', targets.rss)
  } finally {
    await worker.stop()
  }
}

/**
 * CPU of the server for a search: the first one, which scans and builds the index, the first of
 * each text, and others.
 */
async function measureSearches(
  worker: Worker<unknown>,
  ask: (path: string) => Promise<void>,
): Promise<void> {
  const look = () => worker.tell<Figures>('look')
  const cpuOf = async (work: () => Promise<unknown>) => {
    const before = await look()
    await work()
    return (await look()).cpu - before.cpu
  }
  const before = await worker.tell<Figures>('reset').then(look)
  await ask('/api/files/public?search=first')
  while ((await cpuOf(() => pause(200))) > 20);
  const after = await look()
  row(
    'CPU of the first search, with the index that it builds',
    `${(after.cpu - before.cpu).toFixed(0)} ms`,
  )
  row('longest stall meanwhile', `${after.longest.toFixed(1)} ms`)
  row('memory of the server, more than before', `${(after.rss - before.rss).toFixed(1)} MiB`)
  for (const path of searches) {
    const first = await cpuOf(() => ask(path))
    const others = (await cpuOf(() => times(ROUNDS, () => ask(path)))) / ROUNDS
    row(
      `CPU of \`GET ${path}\``,
      `${others.toFixed(2)} ms (first ${first.toFixed(1)})`,
      `< ${SEARCH_MS} ms`,
    )
  }
}

/** Durable transactions of many clients at once, on a library of their own. */
export async function measureManyWriters(dir: string): Promise<void> {
  const log = { info: () => undefined, error: () => undefined }
  const library = await Library.open({ dir, log })
  const posts = collectionAs<{ id: string; text: string }>(library, 'posts')
  for (const clients of [1, 16, 128]) {
    let done = 0
    const until = performance.now() + 2000
    const client = async () => {
      while (performance.now() < until) {
        const id = `post-${done++ % 10_000}`
        await library.transact((tx) => tx.put(posts, id, { id, text: 'x'.repeat(200) }))
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    row(
      `durable transactions of ${clients} clients`,
      `${(done / 2).toFixed(0)} /s`,
      clients === 128 ? '≥ 20000 /s' : '',
    )
  }
  await library.close()
}

async function whileRunning(
  running: Promise<unknown>,
  work: (n: number) => Promise<unknown>,
): Promise<number[]> {
  const state = { isOver: false }
  void running.then(() => (state.isOver = true))
  const took: number[] = []
  for (let n = 0; !state.isOver; n++) took.push(...(await times(1, () => work(n))))
  return took
}

const put = (body: object): RequestInit => ({
  ...{ method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
})

async function askAt(url: string, key: string, path: string, init: RequestInit): Promise<void> {
  const headers = new Headers(init.headers)
  headers.set('x-api-key', key)
  const reply = await fetch(url + path, { ...init, headers })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  await reply.arrayBuffer()
}
