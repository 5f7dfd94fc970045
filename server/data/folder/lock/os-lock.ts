import { chmod, stat, statfs, truncate } from 'node:fs/promises'
import { join } from 'node:path'

/** The file in a data folder on which its owner holds a lock of the operating system. It stays when that is released. */
const OS_LOCK = 'slipway.lock'

/** A lock that the kernel drops with its process, however that ends and in whatever container it runs. */
export interface OsLock {
  /** Device and inode: two processes on one kernel hold the same lock only where these are equal. */
  id: string
  /** Whether the file system can be mounted by one kernel only, so that no other machine reads it. */
  isLocal: boolean
  release(): void
}

/** Result codes of SQLite. */
const BUSY = 5
const CORRUPT = 11
const NOT_A_DATABASE = 26

/** ext, XFS, Btrfs, tmpfs, F2FS, ZFS, overlayfs, bcachefs, exFAT, FAT, NTFS: `f_type` of statfs(2) on Linux. */
const LOCAL = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0x794c7630, 0xca451a4e, 0x2011bab0, 0x4d44,
  0x7366746e,
])

/**
 * Takes the lock. 'busy': another process has it; undefined: this system or file system offers none. Node has no lock of
 * its own but that of the SQLite built into it (from version 22.13): an open transaction on an empty file, never written.
 */
export async function takeOsLock(dir: string): Promise<OsLock | 'busy' | undefined> {
  const path = join(dir, OS_LOCK)
  const taken = lockFile(path)
  if (taken !== 'garbage') return taken === undefined || taken === 'busy' ? taken : described(path, taken)
  // Nothing is ever written to this file, so whatever it holds is not ours; and nobody can hold its lock.
  await truncate(path)
  const again = lockFile(path)
  return again === 'garbage' || again === undefined || again === 'busy' ? undefined : described(path, again)
}

async function described(path: string, release: () => void): Promise<OsLock> {
  try {
    // Never opened by us: POSIX drops a lock when its process closes the file anywhere.
    await chmod(path, 0o600)
    const { dev, ino } = await stat(path)
    const isLocal = process.platform === 'linux' && LOCAL.has((await statfs(path)).type)
    return { id: `${dev}:${ino}`, isLocal, release }
  } catch (error) {
    release()
    throw error
  }
}

type Builtins = { getBuiltinModule?: (id: string) => unknown }

/** Answers how to release the lock. */
function lockFile(path: string): (() => void) | 'busy' | 'garbage' | undefined {
  const sqlite = (process as Builtins).getBuiltinModule?.('node:sqlite') as typeof import('node:sqlite') | undefined
  if (sqlite === undefined) return undefined
  let database: InstanceType<typeof sqlite.DatabaseSync> | undefined
  try {
    const opened = new sqlite.DatabaseSync(path)
    database = opened
    // In memory: else SQLite would put a journal beside the file.
    opened.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return () => opened.close()
  } catch (error) {
    database?.close()
    // The low byte is the kind; the others say more of it.
    const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff
    if (code === BUSY) return 'busy'
    return code === NOT_A_DATABASE || code === CORRUPT ? 'garbage' : undefined
  }
}
