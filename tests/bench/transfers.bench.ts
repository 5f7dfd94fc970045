import { randomBytes } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuSeconds, peakMib, resetPeak, run } from './transfers/process'
import { startNginx } from './transfers/nginx'
import { startSlipway } from './transfers/slipway'
import type { Subject } from './transfers/subject'

/**
 * Transfers against nginx, in turn, each row the median of its rounds: `npm run bench -- transfers`. nginx neither
 * hashes nor syncs what is uploaded; we do both before we answer. BENCH_MIB (1024) and BENCH_ROUNDS (7) make it shorter.
 */
const MIB = 1024 * 1024
const SIZE = Number(process.env.BENCH_MIB ?? 1024)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)

interface Row {
  name: string
  target: string
  /** MiB that it moves. */
  mib: number
  job(subject: Subject): Promise<unknown>
}

interface Measured {
  speed: number
  cpu: number
}

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
const curl = (...args: string[]) => run('curl', ['-sS', '--fail', '-o', '/dev/null', ...args])
const files = { big: join(dir, 'big'), eighth: join(dir, 'eighth'), returns: join(dir, 'returns') }
const times = (count: number, job: () => Promise<unknown>) => Promise.all(Array.from({ length: count }, job))

const rows: Row[] = [
  { name: 'download × 1', target: '≥ 1.2', mib: SIZE, job: (subject) => curl(subject.download('big')) },
  { name: 'download × 8', target: '≥ 1.4', mib: SIZE, job: (s) => times(8, () => curl(s.download('eighth'))) },
  { name: 'upload, with SHA-256 and fsync', target: '≥ 0.35', mib: SIZE, job: (s) => curl(...s.upload(files.big)) },
  { name: 'upload × 8', target: '', mib: SIZE, job: (s) => times(8, () => curl(...s.upload(files.eighth))) },
  { name: 'upload of \\r', target: '≥ 0.4 of random', mib: SIZE / 8, job: (s) => curl(...s.upload(files.returns)) },
  { name: 'upload of random bytes', target: '', mib: SIZE / 8, job: (s) => curl(...s.upload(files.eighth)) },
]

await prepare()
const slipway = await startSlipway(dir, [files.big, files.eighth])
const nginx = await startNginx(dir)
try {
  if (nginx?.files) await run('cp', [files.big, files.eighth, nginx.files])
  else console.log('nginx is not here and cannot be installed without root: no ratios')
  console.log(
    `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.version}; ${SIZE} MiB, ${ROUNDS} rounds`,
  )
  console.log('| work | slipway MiB/s | CPU s/GiB | nginx MiB/s | CPU s/GiB | ratio | target | peak RSS MiB |')
  console.log('|---|---|---|---|---|---|---|---|')
  for (const row of rows) await report(row)
} finally {
  await Promise.all([slipway.stop(), nginx?.stop()])
  await rm(dir, { recursive: true, force: true })
}

async function report(row: Row): Promise<void> {
  const [ours, theirs]: [Measured[], Measured[]] = [[], []]
  await resetPeak(slipway.pid)
  for (let round = 0; round < ROUNDS; round++) {
    if (nginx) theirs.push(await measured(nginx, row))
    ours.push(await measured(slipway, row))
  }
  const ratios = theirs.map(({ speed }, index) => (ours[index]?.speed ?? 0) / speed)
  const show = (list: Measured[]) =>
    list.length === 0
      ? ['–', '–']
      : [median(list.map(({ speed }) => speed)).toFixed(0), median(list.map(({ cpu }) => cpu)).toFixed(2)]
  const ratio = ratios.length === 0 ? '–' : median(ratios).toFixed(2)
  const peak = (await peakMib(slipway.pid)).toFixed(0)
  console.log(`| ${[row.name, ...show(ours), ...show(theirs), ratio, row.target, peak].join(' | ')} |`)
}

async function measured(subject: Subject, row: Row): Promise<Measured> {
  const [cpu, start] = [await cpuSeconds(subject.pid), performance.now()]
  await row.job(subject)
  const seconds = (performance.now() - start) / 1000
  const used = (await cpuSeconds(subject.pid)) - cpu
  await subject.forget()
  return { speed: row.mib / seconds, cpu: (used * 1024) / row.mib }
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN
}

async function prepare(): Promise<void> {
  await fill(files.big, SIZE, () => randomBytes(MIB))
  await fill(files.eighth, SIZE / 8, () => randomBytes(MIB))
  await fill(files.returns, SIZE / 8, () => Buffer.alloc(MIB, '\r'))
}

async function fill(path: string, mib: number, next: () => Buffer): Promise<void> {
  const file = await open(path, 'w')
  for (let n = 0; n < mib; n++) await file.write(next())
  await file.close()
}
