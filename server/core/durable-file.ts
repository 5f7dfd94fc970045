import * as fs from 'node:fs/promises'
import { constants } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** The file operations whose failures are tested. Only tests pass another disk. */
export interface Disk {
  open(path: string, flags: string | number, mode?: number): Promise<DiskFile>
  rename(from: string, to: string): Promise<void>
  rm(path: string, options: { force: true }): Promise<void>
}

export interface DiskFile {
  write(bytes: Uint8Array, offset: number, length: number): Promise<{ bytesWritten: number }>
  truncate(length: number): Promise<void>
  sync(): Promise<void>
  datasync(): Promise<void>
  close(): Promise<void>
}

export const realDisk: Disk = fs

/** Creates or fails, and never follows a planted link. (On Windows O_NOFOLLOW adds nothing.) */
export const CREATE_NEW =
  constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

const isWindows = process.platform === 'win32'

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}

/** Whether the error means that a disk or its folder is missing. */
export const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'EIO', 'ENXIO', 'ENODEV', 'ESTALE', 'ENOTCONN'].includes(
    errorCode(error) ?? '',
  )

/** Whether a write failed because the disk or a quota is full. */
export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '')

export const isReadOnlyDisk = (error: unknown): boolean => errorCode(error) === 'EROFS'

/** Sets the mode of a file or folder. Leaves it unchanged on a read-only disk. */
export async function restrictMode(path: string, mode: number): Promise<void> {
  await fs.chmod(path, mode).catch((error: unknown) => {
    if (!isReadOnlyDisk(error)) throw error
  })
}

/**
 * Makes a private folder and the missing ones above it. Returns the first of them. Unlike Node's
 * `recursive`, it ends where a file system answers ENOENT to every new folder, as /proc does.
 */
export async function makeFolders(path: string): Promise<string | undefined> {
  try {
    await fs.mkdir(path, { mode: 0o700 })
    return path
  } catch (error) {
    const isThere = (await fs.stat(path).catch(() => undefined))?.isDirectory() === true
    if (isThere) return undefined
    if (errorCode(error) !== 'ENOENT') throw error
  }

  const first = await makeFolders(dirname(path))
  await fs.mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    // Another process has just made it.
    if (errorCode(error) !== 'EEXIST') throw error
  })
  return first ?? path
}

/** Resolves to undefined if `work` fails with ENOENT. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
}

/**
 * Writes every byte. A full disk may shorten a write without an error; only the next write reports
 * it.
 */
export async function writeAll(file: Pick<DiskFile, 'write'>, bytes: Uint8Array): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done)
    if (bytesWritten === 0)
      throw Object.assign(new Error('The disk accepted no more bytes'), { code: 'EIO' })
    done += bytesWritten
  }
}

/**
 * Makes the names in a folder durable. Not possible on Windows and not needed: NTFS journals its
 * names.
 */
export async function syncDir(dir: string, disk: Disk = realDisk): Promise<void> {
  if (isWindows) return
  const handle = await disk.open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Renames; on Windows retries for a second while virus scanners or indexers hold the file. */
export async function renamePatiently(
  from: string,
  to: string,
  disk: Disk = realDisk,
  attempts = 10,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await disk.rename(from, to)
    } catch (error) {
      const busy = ['EPERM', 'EBUSY', 'EACCES'].includes(errorCode(error) ?? '')
      if (!isWindows || !busy || attempt === attempts) throw error
      await pause(20 * attempt)
    }
  }
}

/** Like renamePatiently, but for ten seconds: each file in the folder may be held. */
export const renameFolder = (from: string, to: string): Promise<void> =>
  renamePatiently(from, to, realDisk, 32)

/** Renames, and returns once the new name would survive a power cut. */
export async function renameDurably(
  from: string,
  to: string,
  disk: Disk = realDisk,
): Promise<void> {
  await renamePatiently(from, to, disk)
  await syncDir(dirname(to), disk)
}

/** Replaces a small file atomically: it holds either the old text or the new one. */
export async function replaceFile(
  path: string,
  text: string | Uint8Array,
  disk: Disk = realDisk,
): Promise<void> {
  const draft = `${path}.tmp`
  await fs.rm(draft, { force: true })

  const file = await disk.open(draft, CREATE_NEW, 0o600)
  try {
    await writeAll(file, Buffer.from(text))
    await file.sync()
  } catch (error) {
    await fs.rm(draft, { force: true }).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }

  await renameDurably(draft, path, disk)
}
