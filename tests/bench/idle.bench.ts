import { spawn } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { residentMib, run } from './transfers/process'
import { startSlipway } from './transfers/slipway'

/**
 * What visitors hold who stop reading half-way: `npm run bench -- idle`. 1,000 of them (BENCH_IDLE) should take less than
 * 100 MiB. The server has served downloads before, so that what V8 keeps for itself is there already.
 */
const COUNT = Number(process.env.BENCH_IDLE ?? 1000)
const SIZE = 64 * 1024 * 1024

const dir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
const path = join(dir, 'big')
const file = await open(path, 'w')
await file.truncate(SIZE)
await file.close()
const slipway = await startSlipway(dir, [path])
try {
  const url = slipway.download('big')
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 10 }, () => run('curl', ['-sS', '-o', '/dev/null', url])))
  }
  await pause(2000)
  const before = await residentMib(slipway.pid)
  const visitors = spawn(process.execPath, ['-e', resting(new URL(url), COUNT)], { stdio: 'inherit' })
  await pause(5000 + COUNT * 15)
  const after = await residentMib(slipway.pid)
  visitors.kill()
  console.log(`| half-read downloads | RSS MiB before | with them | more | KiB each |\n|---|---|---|---|---|`)
  const more = after - before
  console.log(`| ${[COUNT, before, after, more, (more * 1024) / COUNT].map((n) => n.toFixed(0)).join(' | ')} |`)
} finally {
  await slipway.stop()
  await rm(dir, { recursive: true, force: true })
}

/** A program that opens so many downloads, reads the first bytes of each, and rests. */
function resting({ port, pathname }: URL, count: number): string {
  return `
const { connect } = require('node:net')
const request = 'GET ${pathname} HTTP/1.1\\r\\nHost: 127.0.0.1:${port}\\r\\n\\r\\n'
const all = []
const opening = setInterval(() => {
  for (let n = 0; n < 20 && all.length < ${count}; n++) {
    const socket = connect(${port}, '127.0.0.1')
    socket.once('data', () => socket.pause())
    all.push(socket)
    socket.write(request)
  }
  if (all.length === ${count}) clearInterval(opening)
}, 50)
setInterval(() => undefined, 60000)`
}
