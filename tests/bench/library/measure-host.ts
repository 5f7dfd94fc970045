import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

type Print = (what: string, value: number, unit: string) => void

const WORKER = join(import.meta.dirname, 'host-worker.ts')
const ROUNDS = 60

interface Figures {
  longest: number
  rss: number
}

/** What people who use a full host wait for. */
export async function measureHost(dir: string, print: Print): Promise<void> {
  const child = fork(WORKER, [dir], { execArgv: process.execArgv })
  try {
    const [{ url, key, started }] = (await once(child, 'message')) as [{ url: string; key: string; started: number }]
    print('cold start of the server (target 3000)', started, 'ms')
    const ask = (path: string, init: RequestInit = {}) => askAt(url, key, path, init)
    const pages = ['/api/files/my-files?limit=50', '/api/files/public?limit=50', '/api/projects?limit=20']
    const searches = ['/api/files/my-files?search=build-99', '/api/files/public?search=99-rel']
    for (const path of [...pages, ...searches, '/api/projects/my?limit=20', '/api/storage/stats']) {
      await times(3, () => ask(path))
      print(`p95 of GET ${path} (target 100)`, percentile(await times(ROUNDS, () => ask(path)), 95), 'ms')
    }
    await tell(child, 'reset')
    const writes = await times(300, (n) => ask('/api/projects/project-0', put({ title: `Project ${n}` })))
    print('p99 of a metadata write (target 50)', percentile(writes, 99), 'ms')
    const snapshot = tell(child, 'snapshot')
    await times(50, (n) => ask('/api/projects/project-0', put({ title: `Project ${n}` })))
    const { longest, rss } = await snapshot
    print('longest stall during a snapshot and writes (50)', longest, 'ms')
    print('memory of the server (target 600)', rss, 'MiB')
  } finally {
    child.kill('SIGKILL')
    await rm(dir, { recursive: true })
  }
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

async function times(count: number, work: (n: number) => Promise<void>): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < count; n++) {
    const start = performance.now()
    await work(n)
    took.push(performance.now() - start)
  }
  return took
}

function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? NaN
}

async function tell(child: ChildProcess, what: string): Promise<Figures> {
  child.send(what)
  return ((await once(child, 'message')) as [Figures])[0]
}
