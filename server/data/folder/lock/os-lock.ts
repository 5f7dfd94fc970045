import { stat, statfs, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { restrictMode } from '../../../core/durable-file'

/** The file that its owner locks through the operating system. It stays after the release. */
const OS_LOCK = 'slipway.lock'

/** A lock that the kernel drops when its process ends, in any container. */
export interface OsLock {
  /** Device and inode: two processes on one kernel share a lock only if these are equal. */
  id: string
  /** Whether only one kernel can mount the file system, so that no other computer reads it. */
  isLocal: boolean
  release(): void
}

/** Result codes of SQLite. */
const BUSY = 5
const CORRUPT = 11
const NOT_A_DATABASE = 26

/**
 * `f_type` of statfs(2) on Linux: ext, XFS, Btrfs, tmpfs, F2FS, ZFS, overlayfs, bcachefs, exFAT,
 * FAT, NTFS.
 */
const LOCAL = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0x794c7630, 0xca451a4e,
  0x2011bab0, 0x4d44, 0x7366746e,
])

/**
 * Takes the lock. 'busy': another process holds it; undefined: the system or file system offers
 * none. Node has no file lock except its built-in SQLite (from version 22.13): an open transaction
 * on an empty file that is never written.
 */
export async function takeOsLock(dir: string): Promise<OsLock | 'busy' | undefined> {
  const path = join(dir, OS_LOCK)
  const result = lockFile(path)
  if (result !== 'garbage')
    return result === undefined || result === 'busy' ? result : describeLock(path, result)
  // We never write to this file, so its content is not ours, and no process can hold its lock.
  await truncate(path)
  const again = lockFile(path)
  return again === 'garbage' || again === undefined || again === 'busy'
    ? undefined
    : describeLock(path, again)
}

async function describeLock(path: string, release: () => void): Promise<OsLock> {
  try {
    // Never open this file ourselves: POSIX drops a lock when its process closes any handle of the
    // file.
    await restrictMode(path, 0o600)

    const { dev, ino } = await stat(path)
    const isLocal = process.platform === 'linux' && LOCAL.has((await statfs(path)).type)
    return { id: `${dev}:${ino}`, isLocal, release }
  } catch (error) {
    release()
    throw error
  }
}

type Builtins = { getBuiltinModule?: (id: string) => unknown }

function lockFile(path: string): (() => void) | 'busy' | 'garbage' | undefined {
  const sqlite = (process as Builtins).getBuiltinModule?.('node:sqlite') as
    | typeof import('node:sqlite')
    | undefined
  if (sqlite === undefined) return undefined

  let database: InstanceType<typeof sqlite.DatabaseSync> | undefined
  try {
    const opened = new sqlite.DatabaseSync(path)
    database = opened
    // Keeps SQLite's journal in memory, so that it creates no file.
    opened.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return () => opened.close()
  } catch (error) {
    database?.close()
    // The low byte is the primary result code.

    const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff
    if (code === BUSY) return 'busy'
    return code === NOT_A_DATABASE || code === CORRUPT ? 'garbage' : undefined
  }
}
