import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiDemos } from '../support/packages'
import { head, judge, median, percentile, row } from './support/figures'
import { findBuilds } from './support/host'
import { startSlipway, type Slipway } from './transfers/slipway'

/**
 * What reading a package adds to its upload: `npm run bench -- facts`. The same 18 MB go as an APK and as a file of
 * another name, in turns. BENCH_ROUNDS (100) makes it shorter.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 100)
const SIZE = 18 * 1024 ** 2
const TARGET = '≤ 50 ms more'

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-facts-'))
const [build] = await findBuilds()
const slipway = await startSlipway(build, join(dir, 'data'))
try {
  const apk = enlarged(await readFile(apiDemos), SIZE)
  const first = await upload(slipway, apk, 'first.apk')
  const taken: Record<'apk' | 'bin', number[]> = { apk: [], bin: [] }
  for (let n = 0; n < ROUNDS; n++) {
    taken.bin.push(await upload(slipway, apk, `${n}.bin`))
    taken.apk.push(await upload(slipway, apk, `${n}.apk`))
    if (n % 20 === 19) await slipway.forget()
  }
  head('upload of 18 MB', 'median ms', 'p95 ms', 'p95 more', 'target')
  const p95 = { apk: percentile(taken.apk, 95), bin: percentile(taken.bin, 95) }
  row('without facts', median(taken.bin).toFixed(0), p95.bin.toFixed(0), '', '')
  const more = p95.apk - p95.bin
  row('with facts', median(taken.apk).toFixed(0), p95.apk.toFixed(0), more.toFixed(0), judge(TARGET, more))
  row('the first one, which starts the reader', first.toFixed(0), '', '', '')
} finally {
  await slipway.stop()
  await rm(dir, { recursive: true, force: true })
}

/** Sends the bytes, and returns how long the answer took, in ms. Fails if an APK has no facts. */
async function upload({ url, key }: Slipway, bytes: Buffer<ArrayBuffer>, name: string): Promise<number> {
  const start = performance.now()
  const init = { method: 'PUT', headers: { 'x-api-key': key }, body: bytes }
  const reply = await fetch(`${url}/api/files/upload/${name}`, init)
  const { file } = (await reply.json()) as { file: { facts: unknown } }
  const took = performance.now() - start
  if (name.endsWith('.apk') !== (file.facts !== null)) throw new Error(`The facts of ${name} are ${String(file.facts)}`)
  return took
}

/** An APK with unused bytes before its signing block, which stays right before the directory of the zip. */
function enlarged(apk: Buffer, size: number): Buffer<ArrayBuffer> {
  const end = apk.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const directory = apk.readUInt32LE(end + 16)
  const block = directory - Number(apk.readBigUInt64LE(directory - 24)) - 8
  const unused = Buffer.alloc(size - apk.length)
  const moved = Buffer.concat([apk.subarray(0, block), unused, apk.subarray(block)])
  moved.writeUInt32LE(directory + unused.length, end + unused.length + 16)
  return moved
}
