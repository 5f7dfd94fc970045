import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDisplay } from '../../scripts/test/tools/display'
import { findElectron } from '../../scripts/test/tools/electron'
import { fillHost } from '../support/data/full-host'
import { startInTurns, type Program } from './start/until'
import { head, percentile, row } from './support/figures'
import { buildWorkers, Worker } from './support/workers'
import { run } from '../support/machines/process'

/**
 * What people wait for until Slipway is ready: `npm run bench -- start`. Each row has a reference
 * that takes turns with it. BENCH_RECORDS (100000,1000000) are the sizes of the libraries;
 * BENCH_ROUNDS (15) is how often programs start.
 */
const root = join(import.meta.dirname, '../..')
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15)
const LOADS = 5
/** V8 gives back what a start took some seconds later. */
const IDLE_MS = 20_000
const sizes = (process.env.BENCH_RECORDS ?? '100000,1000000').split(',').map(Number)
const loadTargets: Record<number, string> = { 100_000: '≤ 1.1 ×', 1_000_000: '≤ 5000 ms' }
const BARE = `require('http').createServer().listen(0, '127.0.0.1', () => console.log('listening'))`
const switches = [
  '--disable-gpu',
  '--no-dialog',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-start-'))
try {
  await run(process.execPath, [join(root, 'scripts/build.mjs'), '--if-changed'])
  const workers = await buildWorkers(join(dir, 'bundle'))
  head('start', 'ms', 'reference', 'ms', 'ratio', 'target')
  await measureListening()
  await measureWindow()
  for (const records of sizes) await measureLibrary(records, workers)
} finally {
  await rm(dir, { recursive: true, force: true })
}

function headless(dataDir: string): Program {
  const args = [
    join(root, 'dist/server/cli.js'),
    '--port',
    '0',
    '--host',
    '127.0.0.1',
    '--data',
    dataDir,
  ]
  return {
    command: process.execPath,
    args,
    env: { NODE_COMPILE_CACHE: join(dir, 'compiled') },
    says: 'listening on',
  }
}

async function measureListening(): Promise<void> {
  const bare: Program = { command: process.execPath, args: ['-e', BARE], says: 'listening' }
  const programs = { theirs: bare, ours: headless(join(dir, 'empty')) }
  const { ours, theirs } = await startInTurns(programs, ROUNDS)
  const what = 'headless host, from the process to listening'
  compare(what, ours.ms, '`node -e` with `http.listen`', theirs.ms, '')
  compare('CPU of that start', ours.cpu, 'the same', theirs.cpu, '≤ 300 ms')
  const idle = await startInTurns(programs, 1, IDLE_MS)
  row(
    'memory when idle',
    `${idle.ours.rss.toFixed(0)} MiB`,
    '',
    `${idle.theirs.rss.toFixed(0)} MiB`,
    '',
    '≤ 78 MiB',
  )
}

async function measureWindow(): Promise<void> {
  const electron = await findElectron()
  const display = await openDisplay()
  if ('missing' in electron || 'missing' in display) {
    const reason = 'missing' in electron ? electron.missing : 'no display'
    return row('window visible, warm', `not measured: ${reason}`, '', '', '', '≤ 2000 ms')
  }
  const app = (...args: string[]): Program => ({
    command: electron.path,
    args: ['-r', join(root, 'tests/bench/start/shown.mjs'), ...switches, ...args],
    env: display.env,
    says: 'shown',
  })
  const bare = app(join(root, 'tests/bench/start/bare-app.mjs'), join(dir, 'bare-profile'))
  const { ours, theirs } = await startInTurns(
    { theirs: bare, ours: app(root, '--data', join(dir, 'window')) },
    7,
  )
  compare('window visible, warm', ours.ms, 'Electron with one empty page', theirs.ms, '≤ 2000 ms')
  display.close()
}

async function measureLibrary(
  records: number,
  workers: Awaited<ReturnType<typeof buildWorkers>>,
): Promise<void> {
  const dataDir = join(dir, `host-${records}`)
  await mkdir(dataDir, { mode: 0o700 })
  await fillHost(dataDir, records, 1000)
  const [loads, parses]: [Load[], Load[]] = [[], []]
  for (let n = 0; n < LOADS; n++) {
    parses.push(await loadBy(workers['parse-worker'], dataDir))
    loads.push(await loadBy(workers['load-worker'], dataDir))
  }
  const median = (of: Load[], key: keyof Load) =>
    percentile(
      of.map((one) => one[key]),
      50,
    )
  const count = records.toLocaleString('en')
  const parse = '`JSON.parse` of the snapshot'
  compare(
    `library of ${count}, loaded`,
    median(loads, 'ms'),
    parse,
    median(parses, 'ms'),
    loadTargets[records] ?? '',
  )
  const rss = `${median(loads, 'rss').toFixed(0)} MiB`
  row('memory after that', rss, '', `${median(parses, 'rss').toFixed(0)} MiB`, '', '')
  const { ours } = await startInTurns({ ours: headless(dataDir) }, 3)
  row(`the same host, from the process to listening`, ours.ms.toFixed(0), '', '', '', '')
}

interface Load {
  ms: number
  rss: number
}

async function loadBy(script: string, dataDir: string): Promise<Load> {
  const worker = await Worker.start<Load>(script, dataDir)
  await worker.stop()
  return worker.hello
}

function compare(
  what: string,
  ours: number,
  reference: string,
  theirs: number,
  target: string,
): void {
  row(what, ours.toFixed(0), reference, theirs.toFixed(0), (ours / theirs).toFixed(2), target)
}
