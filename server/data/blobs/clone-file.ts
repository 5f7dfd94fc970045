import { constants } from 'node:fs'
import { chmod, copyFile, open, rm, stat, type FileHandle } from 'node:fs/promises'

/** Fails where the disk cannot share the blocks, instead of copying them. */
const CLONE = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE

/**
 * Clones an open file, as APFS, btrfs, XFS and ReFS can: it takes no time and no room, and what is written into either
 * file later the other one does not see. Answers the clone, open for writing; undefined: the disk cannot do it, or the
 * path leads to another file by now.
 */
export async function cloneFile(
  source: FileHandle,
  sourcePath: string,
  target: string,
): Promise<{ file: FileHandle; size: number } | undefined> {
  try {
    // Linux can be asked for the very file that is open; elsewhere its path has to lead there.
    const from = process.platform === 'linux' ? `/proc/self/fd/${source.fd}` : sourcePath
    const opened = await source.stat({ bigint: true })
    const named = await stat(from, { bigint: true })
    if (opened.ino !== named.ino || opened.dev !== named.dev) return undefined
    await copyFile(from, target, CLONE)
    // A clone has the permissions of its source.
    await chmod(target, 0o600)
    const file = await open(target, constants.O_RDWR | constants.O_NOFOLLOW)
    return { file, size: (await file.stat()).size }
  } catch {
    await rm(target, { force: true })
    return undefined
  }
}
