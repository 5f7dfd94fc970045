import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../renderer/lib/client/api-client'
import { createClient } from '../support/network/client'
import { hold } from './abuse/requests'
import { fillHost } from '../support/data/full-host'
import { head, judge, row } from './support/figures'
import { findBuilds } from './support/host'
import { residentMib, run } from '../support/machines/process'
import { startSlipway, type Slipway } from './transfers/slipway'

/**
 * What visitors hold who stop reading half-way: `npm run bench -- idle`. 1,000 of them (BENCH_IDLE)
 * should take at most 150 MiB, whether they share a file, and so its blocks, or each has another.
 * The host has moved bytes before, so that what V8 keeps for itself is there already.
 */
const COUNT = Number(process.env.BENCH_IDLE ?? 1000)
/** More than the buffers of both systems take. */
const SIZE = 8 * 1024 * 1024

const [build] = await findBuilds()
head('half-read downloads', 'RSS MiB before', 'with them', 'more', 'KiB each', 'goal')
await measure(`${COUNT} of one file`, 1)
await measure(`${COUNT}, each of another file`, COUNT)

async function measure(name: string, files: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  // For an account whose quota takes them all.
  await fillHost(join(dir, 'data'), 10, 1)
  const slipway = await startSlipway(build, join(dir, 'data'), { account: 'user0' })
  try {
    const ids = await publish(slipway, dir, files)
    await pause(12_000)
    const before = await residentMib(slipway.pid)
    const path = (n: number) => `/api/files/${ids[n % ids.length]}/download`
    const fields = `Host: 127.0.0.1:${slipway.port}\r\nX-API-Key: ${slipway.key}`
    const visitors = await hold(
      slipway.port,
      COUNT,
      (n) => `GET ${path(n)} HTTP/1.1\r\n${fields}\r\n\r\n`,
    )
    await pause(5000 + COUNT * 15)
    const after = await residentMib(slipway.pid)
    visitors.forEach((visitor) => visitor.destroy())
    const more = after - before
    row(
      name,
      ...[before, after, more, (more * 1024) / COUNT].map((figure) => figure.toFixed(0)),
      judge('≤ 150', more),
    )
  } finally {
    await slipway.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

/**
 * Uploads so many different files, and downloads one of them a hundred times. Returns their ids.
 */
async function publish({ url, key }: Slipway, dir: string, files: number): Promise<string[]> {
  for (let n = 1; n <= files; n++) {
    const file = await open(join(dir, `idle-${n}`), 'w')
    await file.truncate(SIZE)
    await file.write(`This is file ${n}`)
    await file.close()
  }
  const always = ['-sS', '--fail', '-o', '/dev/null', '-H', `X-API-Key: ${key}`]
  const curl = (...args: string[]) => run('curl', [...always, ...args])
  await curl('-T', join(dir, `idle-[1-${files}]`), `${url}/api/files/upload/`)
  const ids = await idsOf(createClient(url, { headers: { 'X-API-Key': key } }))
  await curl(`${url}/api/files/${ids[0]}/download?turn=[1-100]`)
  return ids
}

async function idsOf(client: Client): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const { files } = await client.files.mine({ search: 'idle-', limit: 100, offset: ids.length })
    if (files.length === 0) return ids
    ids.push(...files.map(({ file_id }) => file_id))
  }
}
