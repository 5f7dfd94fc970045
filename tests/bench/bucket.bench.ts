import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startEngine } from '../support/bucket/engine'
import { compareCopies } from './bucket/copies'
import { head, judge, median, percentile, row } from './support/figures'
import { findBuilds } from './support/host'
import { during, load } from './support/load'
import { fillFile, run } from './transfers/process'
import { startSlipway } from './transfers/slipway'

/**
 * Downloads from a bucket: our server and a real object store (Ceph, in memory, on the same computer):
 * `npm run bench -- bucket`. BENCH_MIB (200) and BENCH_ROUNDS (5) make it shorter.
 */
const MIB = 1024 * 1024
const SIZE = Number(process.env.BENCH_MIB ?? 200)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const VISITORS = 100
/** So many of them read all bytes that the bucket sends. The others leave: the host does not notice. */
const READERS = 3
const LOAD_MS = 2000

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
const file = join(dir, 'build')
await fillFile(file, SIZE)
const [build] = await findBuilds()
const engine = await startEngine()
const choice = await engine.makeBucket()
const config = join(dir, 'mirror.json')
const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = engine.keys
await writeFile(config, JSON.stringify({ ...choice, access_key_id, secret_access_key }), { mode: 0o600 })
const slipway = await startSlipway(build, join(dir, 'data'), {
  samples: [file],
  args: ['--trust-proxy', '127.0.0.1', '--mirror-config', config],
})
const download = slipway.download('build')
try {
  console.log(`${SIZE} MiB; ${ROUNDS} rounds.\n`)
  console.log(
    'The object store runs on the same cores. Copies run in the process of the benchmark, whose memory they reuse.\n',
  )
  await copied(download)
  head('what', 'figure', 'compared with', 'ratio', 'target')
  await measureBytes()
  await measureRate()
  await compareCopies({ choice, keys: engine.keys, path: file, size: SIZE * MIB, rounds: ROUNDS })
  await measureApi()
} finally {
  await slipway.stop()
  await engine.close()
  await rm(dir, { recursive: true, force: true })
}

/** A visitor from outside, as a trusted proxy names them. */
function visitor(n: number): Record<string, string> {
  return { 'x-forwarded-for': `8.8.${n >> 8}.${n & 255}` }
}

function asked(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => void get(url, { headers, agent: false }, resolve).once('error', reject))
}

/** Waits until visitors of the build are redirected. */
async function copied(address: string): Promise<void> {
  for (;;) {
    const response = await asked(address, { ...visitor(0), range: 'bytes=0-0' })
    response.destroy()
    if (response.statusCode === 302) return
    await pause(200)
  }
}

async function measureBytes(): Promise<void> {
  let fromHost = 0
  for (let n = 0; n < VISITORS; n++) {
    const redirect = await asked(download, visitor(n))
    for await (const _ of redirect);
    fromHost += redirect.socket.bytesRead
    const there = await asked(redirect.headers.location ?? '')
    let got = 0
    for await (const chunk of there) {
      got += (chunk as Buffer).length
      if (n >= READERS) break
    }
    if (n < READERS && got !== SIZE * MIB) throw new Error(`The bucket has sent ${got} bytes`)
  }
  const all = VISITORS * SIZE * MIB
  const share = (100 * fromHost) / all
  row(
    `bytes of the host for ${VISITORS} visitors`,
    `${(fromHost / 1024).toFixed(0)} KiB`,
    `${all / MIB} MiB`,
    `${share.toFixed(5)} %`,
    judge('≤ 0.1 %', share),
  )
}

async function measureRate(): Promise<void> {
  const redirects: number[] = []
  const heads: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // From the address of the trusted proxy.
    const question = { url: download, headers: visitor(round), from: '127.0.0.1' }
    redirects.push((await load({ ...question, status: 302 }, during(LOAD_MS))).length / (LOAD_MS / 1000))
    heads.push((await load({ ...question, method: 'HEAD' }, during(LOAD_MS))).length / (LOAD_MS / 1000))
  }
  const ratio = median(redirects.map((one, round) => one / (heads[round] ?? NaN)))
  row(
    'redirects/s',
    median(redirects).toFixed(0),
    `${median(heads).toFixed(0)} HEAD/s`,
    ratio.toFixed(2),
    judge('≥ 0.8', ratio),
  )
}

/** p99 of a small call in ms, while two copies run and at rest. */
async function measureApi(): Promise<void> {
  const call = { url: `${slipway.url}/api/projects?limit=20` }
  const rest: number[] = []
  const busy: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rest.push(percentile(await load(call, during(LOAD_MS)), 99))
    const copies = [await uploaded(), await uploaded()]
    busy.push(percentile(await load(call, during(LOAD_MS)), 99))
    for (const copy of copies) await copied(copy)
  }
  const ratio = median(busy.map((one, round) => one / (rest[round] ?? NaN)))
  const figures = [`${median(busy).toFixed(1)} ms`, `${median(rest).toFixed(1)} ms at rest`]
  row('p99 of an API call during two copies', ...figures, ratio.toFixed(2), judge('≤ 1.5', ratio))
}

/** Uploads the build again. Returns the address of its download. */
async function uploaded(): Promise<string> {
  const reply = await run('curl', ['-sS', '-F', 'is_public=true', ...slipway.upload(file)])
  return `${slipway.url}/api/files/${(JSON.parse(reply) as { file_id: string }).file_id}/download`
}
