import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DataDirLockedError, lockDataDir } from '../../../server/storage/lock'
import { tempDir } from './temp-dir'

const HOLDER = join(import.meta.dirname, 'lock-holder.ts')

/** Starts another Slipway, as far as the lock can tell, and answers what it said. */
async function start(dir: string): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', HOLDER, dir], { stdio: ['pipe', 'pipe', 'inherit'] })
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
  'only one process has the folder; after its end, however it came, the next one does',
  { timeout: 30_000 },
  async () => {
    const dir = join(await tempDir(), 'data')
    const first = await start(dir)
    expect(first.said).toBe('held')
    const refusal = `The data folder ${dir} is in use by another Slipway (process ${first.child.pid})`
    expect((await start(dir)).said).toBe(refusal)
    await expect(lockDataDir(dir)).rejects.toEqual(new DataDirLockedError(dir, first.child.pid ?? 0))
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
  'of many processes that find the lock of a dead one, a single one takes it over',
  { timeout: 60_000 },
  async () => {
    const dir = await tempDir()
    await kill((await start(dir)).child)
    const said = (await Promise.all(Array.from({ length: 6 }, () => start(dir)))).map((holder) => holder.said)
    expect(said.filter((text) => text === 'held')).toHaveLength(1)
    expect(said.filter((text) => text.includes('in use by another Slipway'))).toHaveLength(5)
  },
)

test('of many attempts at once in one process a single one gets through, round after round', async () => {
  const dir = await tempDir()
  for (let round = 0; round < 20; round++) {
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(dir)))
    const held = attempts.filter((attempt) => attempt.status === 'fulfilled')
    expect(held).toHaveLength(1)
    await held[0]?.value.release()
  }
  expect(await readdir(dir)).toHaveLength(1)
})

test('the lock of an earlier process with our number does not keep us out', async () => {
  const dir = await tempDir()
  await writeFile(join(dir, 'slipway.3.lock'), JSON.stringify({ pid: process.pid, started: 'another boot:1' }))
  await lockDataDir(dir)
  expect(await readdir(dir)).toEqual(['slipway.4.lock'])
})

test('where the start time is not known, a living process keeps the lock', async () => {
  const dir = await tempDir()
  await writeFile(join(dir, 'slipway.3.lock'), JSON.stringify({ pid: process.ppid, started: null }))
  await expect(lockDataDir(dir)).rejects.toThrow(`process ${process.ppid}`)
})

test('a lock without a name counts only as long as somebody may be writing it', async () => {
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

test('a folder that cannot be written says so', async () => {
  const file = join(await tempDir(), 'file')
  await writeFile(file, '')
  await expect(lockDataDir(join(file, 'data'))).rejects.toThrow(
    `The data folder ${join(file, 'data')} cannot be written: `,
  )
})
