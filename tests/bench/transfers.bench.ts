import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { head, judge, row } from './support/figures'
import { findBuilds } from './support/host'
import { measureLatency } from './transfers/latency'
import {
  curlTogether,
  fillFile,
  peakMib,
  residentMib,
  resetPeak,
} from '../support/machines/process'
import { startNginx } from './transfers/nginx'
import { compare, compareHead, hashAndCopy, turnOf } from './transfers/report'
import { startSlipway, type Slipway } from './transfers/slipway'

/**
 * Transfers, in turns with the build that BENCH_DIST names and with a reference:
 * `npm run bench -- transfers`. For downloads it is nginx, for uploads the work that none can leave
 * out. BENCH_MIB (1024) and BENCH_ROUNDS (7) make it shorter.
 */
const SIZE = Number(process.env['BENCH_MIB'] ?? 1024)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 7)

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
const files = join(dir, 'files')
const [big, eighth] = [join(files, 'big'), join(files, 'eighth')]
await mkdir(files)
await fillFile(big, SIZE)
await fillFile(eighth, SIZE / 8)
const builds = await findBuilds()
try {
  console.log(`${SIZE} MiB; the median of ${ROUNDS} rounds and the least CPU time.\n`)
  const hosts: Slipway[] = []
  for (const build of builds)
    hosts.push(await startSlipway(build, join(dir, build.name), { samples: [big, eighth] }))
  await measureDownloads(hosts)
  await measureUploads(hosts)
  for (const host of hosts) await host.stop()
  console.log('')
  head('memory during bare uploads', 'before MiB', 'peak MiB', 'goal')
  await measureMemory(1, '≤ 110')
  await measureMemory(8, '≤ 200')
  console.log('')
  await measureLatency(dir, builds, eighth)
} finally {
  await rm(dir, { recursive: true, force: true })
}

async function measureDownloads(hosts: readonly Slipway[]): Promise<void> {
  const nginx = await startNginx(dir, files)
  if (nginx.length === 0)
    console.log('nginx is not here and cannot be installed without root: no ratios.\n')
  const all = [...hosts, ...nginx]
  compareHead('download', ...all.map(({ name }) => name))
  const turns = (count: number, sample: string) =>
    all.map(({ pid, download }) => turnOf(pid, SIZE, () => curlTogether(count, [download(sample)])))
  await compare('× 1', turns(1, 'big'), ROUNDS, { cpu: '≤ 0.60', speed: '≥ 1.0' })
  await compare('× 8', turns(8, 'eighth'), ROUNDS, { cpu: '≤ 0.25', speed: '≥ 1.0' })
  for (const one of nginx) await one.stop()
}

async function measureUploads(hosts: readonly Slipway[]): Promise<void> {
  const least = hashAndCopy(big, join(dir, 'copy'), SIZE)
  console.log('')
  compareHead('upload', ...hosts.map(({ name }) => name), 'SHA-256, `cp`, `sync`')
  const turns = (args: (host: Slipway) => string[] | Promise<string[]>) => [
    ...hosts.map((host) =>
      turnOf(host.pid, SIZE, async () => curlTogether(1, await args(host)), host.forget),
    ),
    least,
  ]
  await compare(
    'multipart',
    turns((host) => host.upload(big)),
    ROUNDS,
    { cpu: '≤ 2.9' },
  )
  await compare(
    '`curl -T`',
    turns((host) => host.put(big)),
    ROUNDS,
    { cpu: '≤ 2.7' },
  )
  await compare(
    'tus, one PATCH',
    turns((host) => host.resume(big)),
    ROUNDS,
    { cpu: '≤ 2.7' },
  )
}

/** The peak memory of simultaneous uploads, on a freshly started host. */
async function measureMemory(count: number, goal: string): Promise<void> {
  const host = await startSlipway(builds[0], join(dir, `memory-${count}`))
  const before = await residentMib(host.pid)
  await resetPeak(host.pid)
  await curlTogether(count, host.put(count === 1 ? big : eighth))
  const peak = await peakMib(host.pid)
  row(`${count} at once`, before.toFixed(0), peak.toFixed(0), judge(goal, peak))
  await host.stop()
}
