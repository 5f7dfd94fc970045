import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEngine } from '../../support/bucket/engine'
import { startInTurns, type Program } from '../start/until'
import { judge, median, row } from '../support/figures'
import type { Host } from '../support/host'
import { during, load, type Question } from '../support/load'
import { cpuSeconds, fillFile, run } from '../transfers/process'
import { turnOf } from '../transfers/report'
import { OUTSIDE, startBenchHosts, type BenchHosts } from './bench-hosts'

/** Of what all hosts answer, in ms. */
const TURN_MS = 500
const WARM_UP = 4000
const UPLOAD_MIB = 256
const IDLE_MS = 10_000
/** What only hosts of a cluster need. */
const OF_CLUSTER = /\/(server\/cluster|server\/data\/engine|node_modules\/pg)\//
const SOURCE = join(import.meta.dirname, '../../../server/cli/run.ts')

/** Three hosts of a cluster, as it ships, beside one that is alone. */
export async function compareHosts(engine: string, rounds: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-hosts-'))
  const store = await startEngine()
  try {
    const hosts = await startBenchHosts(dir, engine, store)
    await compareAnswers(hosts, rounds)
    await compareUploads(hosts, dir, rounds)
    await compareStarts(hosts, dir, rounds)
    await hosts.stop()
  } finally {
    await store.close()
    await rm(dir, { recursive: true, force: true })
  }
}

interface Cost {
  /** CPU of the host for an answer, in µs. */
  cpu: number
  /** In ms. */
  p50: number
}

async function compareAnswers({ alone, three, small, large }: BenchHosts, rounds: number): Promise<void> {
  const [, reader] = three
  const list = (host: Host): Question => ({ url: `${host.url}/api/projects?limit=20` })
  const lists = await inTurns(rounds, [alone, reader], list)
  compare('a list of 20 projects at a reader', lists, { cpu: '≤ 1.2', p50: '≤ 1.3' })
  const files = await inTurns(rounds, [alone, ...three], (host) => ({ url: host.url + small }))
  compare('a download of 10 KB, at three hosts', files, { cpu: '≤ 1.2' })
  const redirect = (host: Host): Question => {
    return { url: host.url + large, headers: OUTSIDE, from: '127.0.0.1', status: 302 }
  }
  compare('a redirect to a bucket, at three hosts', await inTurns(rounds, [alone, ...three], redirect), {
    cpu: '≤ 1.2',
  })
}

/** What an answer costs each host, round by round. */
async function inTurns(rounds: number, hosts: readonly Host[], question: (host: Host) => Question): Promise<Cost[][]> {
  for (const host of hosts) await load(question(host), (answers) => answers >= WARM_UP)
  const costs: Cost[][] = []
  for (let round = 0; round < rounds; round++) {
    const ofRound: Cost[] = []
    for (const host of hosts) {
      const before = await cpuSeconds(host.pid)
      const took = await load(question(host), during(TURN_MS))
      ofRound.push({ cpu: (((await cpuSeconds(host.pid)) - before) * 1e6) / took.length, p50: median(took) })
    }
    costs.push(ofRound)
  }
  return costs
}

/** The mean of the other hosts, beside the first. */
function compare(what: string, rounds: Cost[][], goals: { cpu: string; p50?: string }): void {
  const figuresOf = (name: keyof Cost) => {
    const pairs = rounds.map(([alone, ...others]) => {
      return { alone: alone?.[name] ?? NaN, others: others.reduce((sum, it) => sum + it[name], 0) / others.length }
    })
    const ratio = median(pairs.map(({ alone, others }) => others / alone))
    return { ours: median(pairs.map(({ others }) => others)), alone: median(pairs.map(({ alone }) => alone)), ratio }
  }
  const { ours, alone, ratio } = figuresOf('cpu')
  row(
    `CPU of ${what}`,
    `${ours.toFixed(0)} µs`,
    `${alone.toFixed(0)} µs alone`,
    ratio.toFixed(2),
    judge(goals.cpu, ratio),
  )
  if (goals.p50 === undefined) return
  const p50 = figuresOf('p50')
  const cells = [`${p50.ours.toFixed(1)} ms`, `${p50.alone.toFixed(1)} ms alone`, p50.ratio.toFixed(2)]
  row(`p50 of ${what}, 16 clients`, ...cells, judge(goals.p50, p50.ratio))
}

async function compareUploads({ three, key }: BenchHosts, dir: string, rounds: number): Promise<void> {
  const file = join(dir, 'upload')
  await fillFile(file, UPLOAD_MIB)
  const [writer, reader] = three
  const sending = ['-sS', '--fail', '-o', join(dir, 'reply'), '-T', file, '-H', `X-API-Key: ${key}`]
  const turn = ({ url }: Host, pid: number) =>
    turnOf(pid, UPLOAD_MIB, () => run('curl', [...sending, `${url}/api/files/upload/bench.bin`]))
  const through = turn(reader, reader.pid)
  const direct = turn(writer, writer.pid)
  const pairs: { ours: Awaited<ReturnType<typeof direct>>; theirs: Awaited<ReturnType<typeof direct>> }[] = []
  for (let round = -1; round < rounds; round++) {
    const pair = { ours: await through(), theirs: await direct() }
    if (round >= 0) pairs.push(pair)
  }
  const of = (side: 'ours' | 'theirs', name: 'speed' | 'cpu') => median(pairs.map((pair) => pair[side][name]))
  const ratio = median(pairs.map(({ ours, theirs }) => ours.speed / theirs.speed))
  const speeds = [`${of('ours', 'speed').toFixed(0)} MiB/s`, `${of('theirs', 'speed').toFixed(0)} MiB/s at the writer`]
  row('an upload through a reader', ...speeds, ratio.toFixed(2), judge('≥ 0.8', ratio))
  const cpu = of('ours', 'cpu')
  const cpus = [`${cpu.toFixed(2)} s/GiB`, `${of('theirs', 'cpu').toFixed(2)} s/GiB of a writer`]
  row('CPU of the reader for it', ...cpus, '', judge('≤ 0.6', cpu))
}

/** What a host without a cluster starts and loads, beside one more host of this cluster. */
async function compareStarts({ build, another }: BenchHosts, dir: string, rounds: number): Promise<void> {
  const begin = (path: string, says: string, ...args: string[]): Program => {
    const words = ['--import', 'tsx', path, '--port', '0', '--host', '127.0.0.1', ...args]
    const env = { NODE_COMPILE_CACHE: join(dir, 'compiled') }
    return { command: process.execPath, args: path === SOURCE ? words : words.slice(2), says, env }
  }
  const options = { alone: ['--data', join(dir, 'empty')], member: await another() }
  const both = (path: string) => ({
    alone: begin(path, 'listening on', ...options.alone),
    member: begin(path, 'reads at', ...options.member),
  })
  const starts = await startInTurns(both(build.cli), rounds)
  const idle = await startInTurns(both(build.cli), 1, IDLE_MS)
  const show = (what: string, unit: string, ours: number, theirs: number) =>
    row(what, `${ours.toFixed(0)} ${unit}`, `${theirs.toFixed(0)} ${unit} of a reader`, (ours / theirs).toFixed(2), '')
  show('start without `--cluster`', 'ms', starts.alone.ms, starts.member.ms)
  show('memory without `--cluster`, when idle', 'MiB', idle.alone.rss, idle.member.rss)
  const source = both(SOURCE)
  const [without, within] = [await countLoaded(source.alone, dir), await countLoaded(source.member, dir)]
  row('files for clusters that it loads', `${without}`, `${within} of a reader`, '', judge('≤ 0', without))
}

/** How many files for clusters a program loads, as V8 tells. The bundle does not name them. */
async function countLoaded(program: Program, dir: string): Promise<number> {
  const folder = join(dir, 'loaded')
  await startInTurns({ it: { ...program, env: { ...program.env, NODE_V8_COVERAGE: folder } } }, 0)
  const files = new Set<string>()
  for (const name of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8')) as { result: { url: string }[] }
    for (const { url } of result) if (OF_CLUSTER.test(url)) files.add(url)
  }
  await rm(folder, { recursive: true })
  return files.size
}
