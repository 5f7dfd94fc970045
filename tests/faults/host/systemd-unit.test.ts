import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { needTools, run } from '../../support/system/debian'
import { Host } from '../../support/world/process'
import { fetchAt, register } from '../../support/world/place'
import { named, noRoot } from '../../support/system/rounds'
import { upload } from '../../support/world/upload'
import { tempDir } from '../../support/system/temp-dir'

const FOLDER = join(import.meta.dirname, '../../../docs/deploy')
const UNIT = join(FOLDER, 'slipway.service')
/**
 * Ten times the exposure that `systemd-analyze security` may find: 0 is none, 10 that of a service
 * without limits.
 */
const EXPOSURE = 15

beforeAll(async () => {
  if (noRoot === undefined) await needTools('systemd-analyze', 'strace')
})

test.skipIf(noRoot)(named('systemd finds no mistake in the unit'), async () => {
  const dir = await tempDir()
  const unit = join(dir, 'slipway.service')
  const text = await readFile(UNIT, 'utf8')
  // It also looks for the program, which is not installed here.
  await writeFile(
    unit,
    text.replace('/usr/lib/slipway/bin/hand-over', join(FOLDER, 'hand-over.sh')),
  )
  await copyFile(join(FOLDER, 'slipway.socket'), join(dir, 'slipway.socket'))

  const { stdout, stderr } = await run('systemd-analyze', [
    'verify',
    '--man=no',
    '--recursive-errors=no',
    unit,
  ])
  expect(stdout + stderr).toBe('')
  const [dropIn, program] = [join(dir, 'slipway.service.d'), '/usr/lib/slipway/bin/node']
  await mkdir(dropIn)
  const cluster = await readFile(join(FOLDER, 'cluster.conf'), 'utf8')
  await writeFile(join(dropIn, 'cluster.conf'), cluster.replace(program, process.execPath))
  const ofCluster = await run('systemd-analyze', [
    'verify',
    '--man=no',
    '--recursive-errors=no',
    unit,
  ])
  expect(ofCluster.stdout + ofCluster.stderr).toBe('')
  await writeFile(unit, text.replace('ProtectHome=yes', 'ProtectHome=perhaps'))
  await expect(
    run('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', unit]),
  ).rejects.toThrow('perhaps')
})

test.skipIf(noRoot)(named('the unit exposes little of the system'), async () => {
  const args = ['security', '--offline=true', '--no-pager', `--threshold=${EXPOSURE}`]

  const { stdout } = await run('systemd-analyze', [...args, UNIT])
  expect(stdout).toMatch(/Overall exposure level for slipway\.service: [01]\.\d OK/)
  const open = join(await tempDir(), 'slipway.service')
  await writeFile(
    open,
    (await readFile(UNIT, 'utf8')).replace(/^(SystemCallFilter|CapabilityBoundingSet)=.*/gm, ''),
  )
  await expect(run('systemd-analyze', [...args, open])).rejects.toThrow()
})

test.skipIf(noRoot)(named('the unit stops the host only after it had time to drain'), async () => {
  const text = await readFile(UNIT, 'utf8')
  const program = await readFile(join(import.meta.dirname, '../../../server/cli/run.ts'), 'utf8')

  const [, seconds] = /^TimeoutStopSec=(\d+)s$/m.exec(text) ?? []
  const [, ms = ''] = /CLOSING_MS = ([\d_]+)/.exec(program) ?? []
  expect(Number(seconds) * 1000).toBeGreaterThan(Number(ms.replace('_', '')))
})

/** The names of the system calls in a set and in the sets that it names. */
async function callsIn(set: string): Promise<string[]> {
  const { stdout } = await run('systemd-analyze', ['syscall-filter', '--no-pager', set])
  const names = stdout.split('\n').map((line) => line.trim())
  const calls = names.slice(1).filter((name) => /^\w/.test(name))
  const sets = names.slice(1).filter((name) => name.startsWith('@'))
  return [...calls, ...(await Promise.all(sets.map(callsIn))).flat()]
}

test.skipIf(noRoot)(named('the host needs no system call that the unit forbids'), async () => {
  const [, allowed = '', denied = ''] =
    /^SystemCallFilter=(@\S+)\nSystemCallFilter=~(.*)$/m.exec(await readFile(UNIT, 'utf8')) ?? []
  const forbidden = new Set((await Promise.all(denied.split(' ').map(callsIn))).flat())
  const usual = [...(await callsIn('@default')), ...(await callsIn(allowed))].filter(
    (call) => !forbidden.has(call),
  )
  const dir = await tempDir()
  const trace = join(dir, 'trace')
  const under = ['strace', '-f', '-qq', '-o', trace]
  const host = await Host.start(join(dir, 'data'), { under, also: ['--metrics-port', '0'] })
  const place = await register(host, 'owner')
  const file = await upload(fetchAt(place), new File([new Uint8Array(20_000_000)], 'app.apk'), {
    is_public: 'true',
  })
  const sent = await fetch(`${host.url}/api/files/${file.file_id}/download`)
  expect((await sent.arrayBuffer()).byteLength).toBe(20_000_000)
  const [, server = ''] = /^(\d+)/.exec(await readFile(trace, 'utf8')) ?? []
  process.kill(Number(server), 'SIGTERM')
  await host.ended

  // The calls before the program runs are those of the shell around it.
  const text = (await readFile(trace, 'utf8')).split(/execve\(.*node.* = 0\n/).at(-1) ?? ''
  const made = new Set([...text.matchAll(/^\d+ +(\w+)\(/gm)].map(([, call = '']) => call))
  expect(made.size).toBeGreaterThan(40)
  expect([...made].filter((call) => !usual.includes(call))).toEqual([])
})
