import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Client } from '../../renderer/lib/client/api-client'
import { fillHost } from './library/full-host'
import { head, row } from './support/figures'
import { residentMib, run } from './transfers/process'
import { startSlipway, type Slipway } from './transfers/slipway'

/**
 * What visitors hold who stop reading half-way: `npm run bench -- idle`. 1,000 of them (BENCH_IDLE) should take at most
 * 150 MiB, whether they share a file, and so its blocks, or each has another. The host has moved bytes before, so that
 * what V8 keeps for itself is there already.
 */
const COUNT = Number(process.env.BENCH_IDLE ?? 1000)
/** More than the buffers of both systems take. */
const SIZE = 8 * 1024 * 1024

head('half-read downloads', 'RSS MiB before', 'with them', 'more', 'KiB each')
await measure(`${COUNT} of one file`, 1)
await measure(`${COUNT}, each of another file`, COUNT)

async function measure(name: string, files: number): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  await mkdir(join(dir, 'data'), { mode: 0o700 })
  // For an account whose quota takes them all.
  await fillHost(join(dir, 'data'), 10, 1)
  const slipway = await startSlipway(dir, [], 'user0')
  try {
    const ids = await publish(slipway, dir, files)
    await pause(12_000)
    const before = await residentMib(slipway.pid)
    const list = join(dir, 'ids.json')
    await writeFile(list, JSON.stringify(ids))
    const visitors = spawn(process.execPath, ['-e', resting(slipway, list)], { stdio: 'inherit' })
    await pause(5000 + COUNT * 15)
    const after = await residentMib(slipway.pid)
    visitors.kill()
    const more = after - before
    row(name, ...[before, after, more, (more * 1024) / COUNT].map((figure) => figure.toFixed(0)))
  } finally {
    await slipway.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

/** Uploads so many different files, and downloads one of them a hundred times. Returns their ids. */
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

/** A program that opens so many downloads of the files in a list, in turn, reads the first bytes of each, and stops reading. */
function resting({ url, key }: Slipway, list: string): string {
  const { port } = new URL(url)
  return `
const { connect } = require('node:net')
const ids = require(${JSON.stringify(list)})
const all = []
const opening = setInterval(() => {
  for (let n = 0; n < 20 && all.length < ${COUNT}; n++) {
    const socket = connect(${port}, '127.0.0.1')
    socket.once('data', () => socket.pause())
    const path = '/api/files/' + ids[all.length % ids.length] + '/download'
    socket.write('GET ' + path + ' HTTP/1.1\\r\\nHost: 127.0.0.1:${port}\\r\\nX-API-Key: ${key}\\r\\n\\r\\n')
    all.push(socket)
  }
  if (all.length === ${COUNT}) clearInterval(opening)
}, 50)
setInterval(() => undefined, 60000)`
}
