import { randomBytes } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureFull } from './transfers/full'
import { measureMemory } from './transfers/memory'
import { report, reportHead, type Row } from './transfers/report'
import { curlTogether, run } from './transfers/process'
import { startHfs } from './transfers/hfs'
import { startNginx } from './transfers/nginx'
import { startSlipway } from './transfers/slipway'

/**
 * Transfers against nginx, in turn, each row the median of its rounds: `npm run bench -- transfers`. nginx neither
 * hashes nor syncs what is uploaded; we do both before we answer. BENCH_MIB (1024) and BENCH_ROUNDS (7) make it shorter.
 */
const MIB = 1024 * 1024
const SIZE = Number(process.env.BENCH_MIB ?? 1024)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
const curl = (...args: string[]) => run('curl', ['-sS', '--fail', '-o', '/dev/null', ...args])
const files = {
  big: join(dir, 'big'),
  eighth: join(dir, 'eighth'),
  returns: join(dir, 'returns'),
  small: join(dir, 'small'),
}

const rows: Row[] = [
  { name: 'download × 1', target: '≥ 1.2', mib: SIZE, job: (subject) => curl(subject.download('big')) },
  { name: 'download × 8', target: '≥ 1.4', mib: SIZE, job: (s) => curlTogether(8, [s.download('eighth')]) },
  { name: 'upload, with SHA-256 and fsync', target: '≥ 0.35', mib: SIZE, job: (s) => curl(...s.upload(files.big)) },
  { name: 'upload of bare bytes (curl -T)', target: '≥ 0.40', mib: SIZE, job: (s) => curl(...s.put(files.big)) },
  {
    name: 'resumable upload (one PATCH)',
    target: '≥ 0.9 of bare bytes',
    mib: SIZE,
    job: async (s) => curl(...(await s.resume(files.big))),
  },
  { name: 'upload × 8', target: '', mib: SIZE, job: (s) => curlTogether(8, s.upload(files.eighth)) },
  { name: 'upload of \\r', target: '≥ 0.4 of random', mib: SIZE / 8, job: (s) => curl(...s.upload(files.returns)) },
  { name: 'upload of random bytes', target: '', mib: SIZE / 8, job: (s) => curl(...s.upload(files.eighth)) },
]

await prepare()
const samples = [files.big, files.eighth, files.small]
const slipway = await startSlipway(dir, samples)
const nginx = await startNginx(dir)
try {
  if (nginx?.files) await run('cp', [...samples, nginx.files])
  else console.log('nginx is not here and cannot be installed without root: no ratios')
  console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}; ${SIZE} MiB, ${ROUNDS} rounds\n`)
  reportHead('slipway', 'nginx')
  for (const row of rows) await report(row, slipway, nginx, ROUNDS)
  await measureHfs()
  await measureMemory(dir, files.big)
  await measureFull({ dir: join(dir, 'full'), samples, empty: slipway, mib: SIZE, rounds: ROUNDS })
} finally {
  await Promise.all([slipway.stop(), nginx?.stop()])
  await rm(dir, { recursive: true, force: true })
}

async function measureHfs(): Promise<void> {
  const hfs = nginx?.files && (await startHfs(dir, nginx.files))
  if (!hfs) return console.log('\nhfs cannot be installed here: no row')
  const [download] = rows
  console.log('')
  reportHead('slipway', 'hfs')
  if (download) await report({ ...download, target: '≥ 4' }, slipway, hfs, Math.min(ROUNDS, 3))
  await hfs.stop()
}

async function prepare(): Promise<void> {
  await fill(files.big, SIZE, () => randomBytes(MIB))
  await fill(files.eighth, SIZE / 8, () => randomBytes(MIB))
  await fill(files.small, 1, () => randomBytes(10 * 1024))
  await fill(files.returns, SIZE / 8, () => Buffer.alloc(MIB, '\r'))
}

async function fill(path: string, mib: number, next: () => Buffer): Promise<void> {
  const file = await open(path, 'w')
  for (let n = 0; n < mib; n++) await file.write(next())
  await file.close()
}
