import { constants } from 'node:fs'
import { chmod, copyFile, open, rm, stat, type FileHandle } from 'node:fs/promises'

/** Fails instead of copying if the disk cannot share blocks. */
const CLONE = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE

/**
 * Clones an open file copy-on-write (APFS, btrfs, XFS, ReFS), which takes no time and no space. Returns the clone, open
 * for writing; undefined if the disk does not support it or the path leads to another file by now.
 */
export async function cloneFile(
  source: FileHandle,
  sourcePath: string,
  target: string,
): Promise<{ file: FileHandle; size: number } | undefined> {
  try {
    // Linux can clone the open file itself; elsewhere its path must still lead to it.
    const from = process.platform === 'linux' ? `/proc/self/fd/${source.fd}` : sourcePath
    const opened = await source.stat({ bigint: true })
    const named = await stat(from, { bigint: true })
    if (opened.ino !== named.ino || opened.dev !== named.dev) return undefined
    await copyFile(from, target, CLONE)
    // A clone keeps the permissions of its source.
    await chmod(target, 0o600)
    const file = await open(target, constants.O_RDWR | constants.O_NOFOLLOW)
    return { file, size: (await file.stat()).size }
  } catch {
    await rm(target, { force: true })
    return undefined
  }
}
