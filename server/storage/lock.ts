import { chmod, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { errorCode, isAbsent } from './durable-file'
import { isAlive, thisProcess, type ProcessIdentity } from './process-identity'

export class DataDirLockedError extends Error {
  override readonly name = 'DataDirLockedError'

  constructor(
    readonly dir: string,
    readonly pid: number,
  ) {
    super(`The data folder ${dir} is in use by another Slipway (process ${pid})`)
  }
}

export interface DataDirLock {
  /** Whether the owner before us did not release it: it crashed, or the machine did. */
  wasAbandoned: boolean
  /** Whether the folder that lies at the path now is the one that was locked. Throws what says nothing of the disk. */
  holds(): Promise<boolean>
  release(): Promise<void>
}

const NAME = /^slipway\.(\d{1,15})\.lock$/
const RELEASED = 'released'
/** Somebody who has created a lock has this long to write a name into it. */
const GRACE_MS = 5000

const holderSchema = z.object({ pid: z.int().positive(), started: z.string().nullable() })

/** Makes the data folder ours alone, also against a second Slipway that starts in the same moment. */
export async function lockDataDir(dir: string): Promise<DataDirLock> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await chmod(dir, 0o700)
    return await acquire(dir, await thisProcess())
  } catch (error) {
    if (error instanceof DataDirLockedError) throw error
    throw new Error(`The data folder ${dir} cannot be written: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * Locks are numbered, and the newest one counts. A lock is never deleted before there is a newer one, so nobody can
 * take away a lock that came into being after the look at it: of all who find the newest one abandoned, a single one
 * can create the next number, and whoever comes late finds a newer one than its own and steps back.
 */
async function acquire(dir: string, me: ProcessIdentity): Promise<DataDirLock> {
  for (;;) {
    const older = await numbersIn(dir)
    await refuseWhereHeld(dir, older)
    const mine = (older[0] ?? 0) + 1
    const path = lockPath(dir, mine)
    if (!(await create(path, JSON.stringify(me)))) continue
    const others = (await numbersIn(dir)).filter((number) => number !== mine)
    if (others.some((number) => number > mine) || (await holderOf(dir, others)) !== undefined) {
      await rm(path, { force: true })
      continue
    }
    const wasAbandoned = older[0] !== undefined && (await textOf(lockPath(dir, older[0]))) !== RELEASED
    for (const number of others) await rm(lockPath(dir, number), { force: true })
    // Where the disk is full, the lock looks abandoned once this process has ended; that does as well.
    return { wasAbandoned, holds: await holding(path), release: () => release(path).catch(() => undefined) }
  }
}

/** What lies at the path is on the same disk as now, and says the same. */
async function holding(path: string): Promise<() => Promise<boolean>> {
  const look = async () => [(await stat(path)).dev, await readFile(path, 'utf8')].join(' ')
  const held = await look()
  return () =>
    look().then(
      (found) => found === held,
      (error: unknown) => {
        if (isAbsent(error)) return false
        throw error
      },
    )
}

/** Never makes a file: the disk may have gone, and another folder be in its place. */
async function release(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.truncate()
    await file.write(RELEASED)
  } finally {
    await file.close()
  }
}

const textOf = (path: string) => readFile(path, 'utf8').catch(() => RELEASED)
const lockPath = (dir: string, number: number) => join(dir, `slipway.${number}.lock`)

/** Newest first. */
async function numbersIn(dir: string): Promise<number[]> {
  const numbers = (await readdir(dir)).map((name) => Number(NAME.exec(name)?.[1] ?? 0)).filter((number) => number > 0)
  return numbers.sort((a, b) => b - a)
}

async function refuseWhereHeld(dir: string, numbers: readonly number[]): Promise<void> {
  const pid = await holderOf(dir, numbers)
  if (pid !== undefined) throw new DataDirLockedError(dir, pid)
}

/** False where somebody was faster. */
async function create(path: string, text: string): Promise<boolean> {
  try {
    await using file = await open(path, 'wx', 0o600)
    await file.writeFile(text)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/** The living process behind one of these locks. */
async function holderOf(dir: string, numbers: readonly number[]): Promise<number | undefined> {
  for (const number of numbers) {
    const holder = await readHolder(lockPath(dir, number))
    if (holder !== undefined && (await isAlive(holder))) return holder.pid
  }
  return undefined
}

/** Undefined for a lock that was released, or that a crash left without a name. */
async function readHolder(path: string): Promise<ProcessIdentity | undefined> {
  for (;;) {
    try {
      const text = await readFile(path, 'utf8')
      if (text === RELEASED) return undefined
      const holder = holderSchema.safeParse(parse(text))
      if (holder.success) return holder.data
      const age = Date.now() - (await stat(path)).mtimeMs
      if (age < 0 || age > GRACE_MS) return undefined
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }
    await pause(20)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
