import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DataDirLockedError } from '../../../server/core/errors'
import { lockDataDir } from '../../../server/data/folder/lock/lock'
import { judgeHolder } from '../../../server/data/folder/lock/holder'
import { isAlive, thisProcess } from '../../../server/data/folder/lock/process-identity'
import { tempDir } from '../../support/system/temp-dir'

const HOLDER = join(import.meta.dirname, 'lock-holder.ts')

/** Starts another Slipway, as far as the lock can detect, and returns its output. */
async function start(dir: string): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', HOLDER, dir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, said: said.toString().trim() }
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

test(
  'only one process has the folder; after its end, of any kind, the next one does',
  { timeout: 30_000 },
  async () => {
    const dir = join(await tempDir(), 'data')
    const first = await start(dir)
    expect(first.said).toBe('held')
    const refusal = `The data folder ${dir} is in use by another Slipway (process ${first.child.pid})`
    expect((await start(dir)).said).toBe(refusal)
    await expect(lockDataDir(dir)).rejects.toEqual(
      new DataDirLockedError(dir, `process ${first.child.pid}`),
    )
    await kill(first.child)
    const second = await start(dir)
    expect(second.said).toBe('held')
    const exit = once(second.child, 'exit')
    second.child.stdin?.end()
    await exit
    await (await lockDataDir(dir)).release()
  },
)

test(
  'exactly one of many processes that find a dead lock takes it over',
  { timeout: 60_000 },
  async () => {
    const dir = await tempDir()
    await kill((await start(dir)).child)
    const said = (await Promise.all(Array.from({ length: 3 }, () => start(dir)))).map(
      (holder) => holder.said,
    )
    expect(said.filter((text) => text === 'held')).toHaveLength(1)
    expect(said.filter((text) => text.includes('in use by another Slipway'))).toHaveLength(2)
  },
)

test('exactly one of many simultaneous attempts in one process succeeds, round after round', async () => {
  const dir = await tempDir()
  for (let round = 0; round < 20; round++) {
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(dir)))
    const held = attempts.filter((attempt) => attempt.status === 'fulfilled')
    expect(held).toHaveLength(1)
    await held[0]?.value.release()
  }
  expect((await readdir(dir)).sort()).toEqual(['slipway.20.lock', 'slipway.lock'])
})

test('the lock of an earlier process with our number does not keep us out', async () => {
  const dir = await tempDir()
  await writeFile(
    join(dir, 'slipway.3.lock'),
    JSON.stringify({ pid: process.pid, started: 'another boot:1' }),
  )
  await lockDataDir(dir)
  expect((await readdir(dir)).sort()).toEqual(['slipway.4.lock', 'slipway.lock'])
})

test('a process is found by a command that sees another boot, as in a container', async () => {
  const { pid, started } = await thisProcess()
  expect(await isAlive({ pid, started: `another boot:${started?.split(':').at(-1)}` })).toBe(true)
})

test('where the start time is not known, a living process keeps the lock', async () => {
  const dir = await tempDir()
  await writeFile(join(dir, 'slipway.3.lock'), JSON.stringify({ pid: process.ppid, started: null }))
  await expect(lockDataDir(dir)).rejects.toThrow(`process ${process.ppid}`)
})

test('on Windows and macOS, Slipway starts after a kill when another program has its process number', async () => {
  const space = { host: 'here', boot: null, pids: null }
  const holder = { pid: process.ppid, started: null, space, osLock: '1:2' }
  const judge = (id?: string) =>
    judgeHolder(holder, {
      space,
      osLock: id === undefined ? id : { id, isLocal: false, release: () => undefined },
    })
  expect(await judge('1:2')).toBe('dead')
  // Not proven: another process has the lock, or ours is not the one that it had.
  expect([await judge(), await judge('1:3')]).toEqual(['alive', 'alive'])
})

test('a lock without a name counts only as long as another process may be writing it', async () => {
  const dir = await tempDir()
  const path = join(dir, 'slipway.1.lock')
  await writeFile(path, '')
  setTimeout(() => void writeFile(path, JSON.stringify({ pid: process.pid, started: null })), 100)
  await expect(lockDataDir(dir)).rejects.toThrow('in use')
  await writeFile(path, '')
  await utimes(path, new Date(), new Date(Date.now() - 10_000))
  await lockDataDir(dir)
})

test('the folder is made for the owner only, or made so', async () => {
  const parent = await tempDir()
  await (await lockDataDir(join(parent, 'a', 'b'))).release()
  expect((await stat(join(parent, 'a', 'b'))).mode & 0o777).toBe(0o700)
  await chmod(parent, 0o755)
  await lockDataDir(parent)
  expect((await stat(parent)).mode & 0o777).toBe(0o700)
  const name = (await readdir(parent)).find((name) => name.endsWith('.lock')) ?? ''
  expect((await stat(join(parent, name))).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(join(parent, name), 'utf8'))).toMatchObject({ pid: process.pid })
})

test.each([
  ['garbage', (path: string) => writeFile(path, 'no database')],
  ['far too large', (path: string) => writeFile(path, 'x').then(() => truncate(path, 2 ** 33))],
  ['a folder', (path: string) => mkdir(path)],
])(
  'a lock file of the system that is %s keeps nobody out and lets only one in',
  async (_what, spoil) => {
    const dir = await tempDir()
    await spoil(join(dir, 'slipway.lock'))
    const lock = await lockDataDir(dir)
    await expect(lockDataDir(dir)).rejects.toBeInstanceOf(DataDirLockedError)
    expect(await lock.look()).toBe('ours')
    await lock.release()
    await (await lockDataDir(dir)).release()
  },
)

test.each(['no name', 'x'.repeat(100_000), '{"pid":-1}'])(
  'a lock that says nothing of use is taken over',
  async (text) => {
    const dir = await tempDir()
    const path = join(dir, 'slipway.7.lock')
    await writeFile(path, text)
    await utimes(path, new Date(), new Date(Date.now() - 10_000))
    const lock = await lockDataDir(dir)
    expect(lock.wasAbandoned).toBe(true)
    expect((await readdir(dir)).sort()).toEqual(['slipway.8.lock', 'slipway.lock'])
  },
)

/** The lock of a Slipway on another machine, and how it beats. */
async function foreignLock(dir: string): Promise<{ path: string; beat: () => Promise<void> }> {
  const path = join(dir, 'slipway.3.lock')
  const holder = {
    pid: 1,
    started: null,
    space: { host: 'far', boot: 'other', pids: null },
    osLock: null,
  }
  let beat = 0
  const write = () =>
    writeFile(path, JSON.stringify({ ...holder, since: '2026-01-02T03:04:05.000Z', beat: ++beat }))
  await write()
  return { path, beat: write }
}

test('a Slipway on another machine keeps the folder as long as its lock beats, with any clock', async () => {
  const dir = await tempDir()
  const { path, beat } = await foreignLock(dir)
  await utimes(path, new Date(0), new Date(0))
  const told: string[] = []
  const beating = setInterval(() => void beat(), 20)
  onTestFinished(() => clearInterval(beating))
  const name = `The data folder ${dir} is in use by another Slipway (host far, since 2026-01-02 03:04 UTC)`
  await expect(
    lockDataDir(dir, { silenceMs: 30_000, tell: (text) => told.push(text) }),
  ).rejects.toThrow(name)
  expect(told).toEqual([`${name}. Waiting 30 s to see whether it is still running.`])
})

test('it loses the folder once its lock has stood still', async () => {
  const dir = await tempDir()
  await foreignLock(dir)
  const lock = await lockDataDir(dir, { silenceMs: 300, tell: () => undefined })
  expect(lock).toMatchObject({ wasAbandoned: true, wasSilent: true })
  await lock.release()
})

test('an owner beats in its lock, and still knows it', async () => {
  const dir = await tempDir()
  const lock = await lockDataDir(dir, { silenceMs: 600 })
  const text = () => readFile(join(dir, 'slipway.1.lock'), 'utf8')
  const before = await text()
  await expect.poll(text).not.toBe(before)
  expect([await lock.look(), (await text()).length]).toEqual(['ours', before.length])
  await lock.release()
  expect(await text()).toBe('released')
})

test('a process that the system shuts down keeps its folder to the end, and leaves no crash behind', async () => {
  const dir = await tempDir()
  // Each look beats.
  const lock = await lockDataDir(dir, { silenceMs: 0 })
  lock.markShutDown()
  expect([await lock.look(), await lock.look()]).toEqual(['ours', 'ours'])
  const text = await readFile(join(dir, 'slipway.1.lock'), 'utf8')
  await lock.release()
  await writeFile(join(dir, 'slipway.1.lock'), text)
  expect(await lockDataDir(dir)).toMatchObject({ wasAbandoned: true, wasShutDown: true })
})

test('an owner notices a newer lock in its folder, and when its own is missing or replaced', async () => {
  const dir = await tempDir()
  const lock = await lockDataDir(dir)
  const copy = await readFile(join(dir, 'slipway.1.lock'), 'utf8')
  await writeFile(join(dir, 'slipway.2.lock'), '')
  expect(await lock.look()).toBe('taken')
  await rm(join(dir, 'slipway.2.lock'))
  await writeFile(join(dir, 'slipway.1.lock'), copy.replace('"pid"', '"was"'))
  expect(await lock.look()).toBe('gone')
  await rm(join(dir, 'slipway.1.lock'))
  expect(await lock.look()).toBe('gone')
})
