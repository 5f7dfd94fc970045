import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillHost } from '../support/data/full-host'
import type { Reply } from './requests/bare-worker'
import { head, judge, median, row } from './support/figures'
import { findBuilds, startHost, type Build, type Host } from './support/host'
import { during, load, type Question } from './support/load'
import { Worker } from './support/workers'
import { cpuSeconds } from '../support/machines/process'
import { anAccount } from './transfers/slipway'

/**
 * CPU time of the server for small replies: `npm run bench -- requests`. 16 clients of several
 * addresses ask the host as it ships, with its rate limits, in turns with Node's own HTTP server,
 * which sends the same bytes and headers, and with the build that BENCH_DIST names. BENCH_ROUNDS
 * (3), how often each starts, makes it shorter.
 */
const STARTS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const TURNS = 3
const TURN_MS = 400
/**
 * V8 takes so many requests until it has compiled what they need, and some thousand of each kind.
 */
const WARM_UP = 10_000

/** A running build, and what is asked of it. */
interface Target extends Host {
  key: string
  /** The paths of a public file of 10 KB and of a script of the UI. */
  file: string
  asset: string
}

interface Work {
  name: string
  path: (target: Target) => string
  headers?: (target: Target) => Promise<Record<string, string>>
  status?: number
  /** `×` bare Node, or `ms`. */
  goal?: string
}

const publicList: Work = {
  name: 'public list of 50',
  path: () => '/api/files/public?limit=50',
  goal: '≤ 4 ×',
}
const lists: Work[] = [
  publicList,
  { name: 'list of 20 projects', path: () => '/api/projects?limit=20', goal: '≤ 4 ×' },
  {
    name: 'my files, 50',
    path: () => '/api/files/my-files?limit=50',
    headers: async ({ key }) => ({ 'x-api-key': key }),
  },
]
const works: Work[] = [
  { name: 'file of 10 KB', path: ({ file }) => file, goal: '≤ 4 ×' },
  {
    name: '304',
    path: ({ file }) => file,
    headers: async ({ url, file }) => ({
      'if-none-match': (await fetch(url + file)).headers.get('etag') ?? '',
    }),
    status: 304,
    goal: '≤ 3 ×',
  },
  ...lists,
  { name: '`auth/check`', path: () => '/api/auth/check', goal: '≤ 2.5 ×' },
  { name: 'page of a project', path: () => '/p/project-0', goal: '≤ 150 ms' },
  { name: 'landing page', path: () => '/' },
  { name: 'script of the UI', path: ({ asset }) => asset },
]

/** A server, and what it is asked. */
interface Subject {
  pid: number
  question: Question
}

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-requests-'))
const builds = await findBuilds()
const bare = await Worker.start<{ url: string }>(
  join(import.meta.dirname, 'requests/bare-worker.ts'),
)
try {
  const turns = `${STARTS * TURNS} turns, in ${STARTS} processes of each`
  console.log(
    `CPU ms of the server for 1,000 replies: the median of ${turns} build, and the least.\n`,
  )
  head('reply', 'records', ...builds.map(({ name }) => name), 'bare Node', '× bare Node', 'goal')
  await compareWithBare(1000, works)
  await compareWithBare(100_000, lists)
  console.log('')
  head(publicList.name, 'with limits', 'without', '× without', 'goal')
  for (const build of builds) await compareLimits(build)
} finally {
  await bare.stop()
  await rm(dir, { recursive: true, force: true })
}

async function compareWithBare(records: number, some: readonly Work[]): Promise<void> {
  const all = await measure(some, () => Promise.all(builds.map((build) => prepare(build, records))))
  for (const [index, { name, goal = '' }] of some.entries()) {
    const costs = all[index] ?? []
    const [ours, theirs] = [costs[0] ?? [], costs.at(-1) ?? []]
    const ratio = divide(ours, theirs)
    const judged = judge(goal, goal.endsWith('ms') ? median(ours) : ratio)
    row(name, records.toLocaleString('en'), ...costs.map(show), ratio.toFixed(2), judged)
  }
}

async function compareLimits(build: Build): Promise<void> {
  const start = () => Promise.all([prepare(build, 1000), prepare(build, 1000, '--no-rate-limits')])
  const [[ours = [], theirs = []] = []] = await measure([publicList], start)
  const ratio = divide(ours, theirs)
  row(build.name, show(ours), show(theirs), ratio.toFixed(2), judge('≤ 1.2 ×', ratio))
}

/**
 * CPU ms for 1,000 replies: by work, then by target (the last is bare Node), turn by turn. Several
 * processes of each, as V8 collects garbage twice as often in some as in others.
 */
async function measure(
  some: readonly Work[],
  start: () => Promise<Target[]>,
): Promise<number[][][]> {
  const costs: number[][][] = some.map(() => [])
  for (let n = 0; n < STARTS; n++) {
    const targets = await start()
    const asked = await Promise.all(
      some.map((work) => Promise.all(targets.map((target) => ask(work, target)))),
    )
    const isWarm = (answers: number) => answers >= Math.max(WARM_UP / some.length, 4000)
    for (const { question } of asked.flat()) await load(question, isWarm)
    for (const [index, subjects] of asked.entries()) {
      const question = { url: bare.hello.url, status: some[index]?.status ?? 200 }
      await bare.tell(await readReply(subjects[0]))
      await load(question, isWarm)
      await takeTurns([...subjects, { pid: bare.pid, question }], costs[index] ?? [])
    }
    await Promise.all(targets.map((target) => target.stop()))
  }
  return costs
}

async function takeTurns(subjects: readonly Subject[], costs: number[][]): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [index, { pid, question }] of subjects.entries()) {
      const before = await cpuSeconds(pid)
      const answers = (await load(question, during(TURN_MS))).length
      costs[index] ??= []
      costs[index].push((((await cpuSeconds(pid)) - before) * 1e6) / answers)
    }
  }
}

/** Starts a build on a data folder of its own, with so many files and 1,000 projects. */
async function prepare(build: Build, records: number, ...args: string[]): Promise<Target> {
  const data = await mkdtemp(join(dir, 'data-'))
  await fillHost(data, records, 1000)
  const host = await startHost(build, data, { args })
  const { url } = host
  const { key } = await anAccount(url, undefined, 'user0')
  const upload = { method: 'PUT', headers: { 'x-api-key': key }, body: randomBytes(10 * 1024) }
  const reply = await fetch(`${url}/api/files/upload/small.bin?is_public=true`, upload)
  const { file_id } = (await reply.json()) as { file_id: string }
  const [asset = ''] = /\/assets\/[^"]+\.js/.exec(await (await fetch(url)).text()) ?? []
  return { ...host, key, file: `/api/files/${file_id}/download`, asset }
}

async function ask({ path, headers, status = 200 }: Work, target: Target): Promise<Subject> {
  const question = {
    url: target.url + path(target),
    headers: (await headers?.(target)) ?? {},
    status,
  }
  return { pid: target.pid, question }
}

/** What the first build answers, without the fields that Node adds by itself. */
async function readReply(subject: Subject | undefined): Promise<Reply> {
  const { url = '', headers = {} } = subject?.question ?? {}
  const reply = await fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' } })
  const fields = [...reply.headers].filter(
    ([name]) => !['date', 'connection', 'keep-alive'].includes(name),
  )
  return {
    status: reply.status,
    headers: Object.fromEntries(fields),
    body: Buffer.from(await reply.arrayBuffer()).toString('base64'),
  }
}

/** The median of the ratios of the turns. */
function divide(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((cost, turn) => cost / (theirs[turn] ?? NaN)))
}

function show(costs: readonly number[]): string {
  return `${median(costs).toFixed(0)} (${Math.min(...costs).toFixed(0)})`
}
