import { randomBytes } from 'node:crypto'
import { readdir, realpath, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linkTo } from '../../copy-files'
import { errorCode } from '../../../core/durable-file'
import { copyMarkIn } from './half-copy'
import { holdsLibrary } from '../../library/journal/library-files'
import { clusterMarkIn } from '../../library/library-place'
import { isInside } from '../../backup/places'
import { isGone } from './remove-old'
import { pointerIn, staysBehind } from '../pointer'
import { listFiles } from './files-of'

/** The data cannot move there; the message explains why and what to do. */
export class TargetRefusedError extends Error {
  override readonly name = 'TargetRefusedError'
}

/** The plan of a move to a folder. */
export interface Plan {
  to: string
  files: number
  bytes: number
  free: number
  /** Whether both folders can share blobs until the old one is deleted, so that none are copied. */
  shares: boolean
}

/** Free space to leave on the disk of the new folder, in bytes. */
export const RESERVE = 128 * 1024 * 1024

/** Checks whether the data in `from` can move to the chosen folder. Throws TargetRefusedError. */
export async function planMove(homeDir: string, from: string, chosen: string): Promise<Plan> {
  const to = await realpath(chosen).catch(() => refuse(`The folder ${chosen} does not exist.`))
  const [home, now] = await Promise.all([realpath(homeDir), realpath(from)])

  if (to === now) refuse(`The data is already in ${to}.`)
  if (isInside(to, now))
    refuse(`${to} is inside the current data folder. Choose a folder outside it.`)
  if (isInside(now, to))
    refuse(`The current data folder is inside ${to}. Choose a separate folder.`)
  if (isInside(to, home)) refuse(`${to} is inside a folder of Slipway. Choose a folder outside it.`)

  await requireOwnChoice(homeDir, now)
  await requireEmpty(to)
  await requireWritable(to)
  const shares = await canShare(now, to)

  let files = 0
  let bytes = 0
  let copiedBytes = 0
  for await (const file of listFiles(now)) {
    files++
    bytes += file.size
    if (!shares || !file.isFixed) copiedBytes += file.size
  }

  const { bavail, bsize } = await statfs(to)
  const free = bavail * bsize
  if (copiedBytes + RESERVE > free)
    throw new TargetRefusedError(
      `The disk of ${to} is too small: free another ${inMb(copiedBytes + RESERVE - free)} MB.`,
    )

  return { to, files, bytes, free, shares }
}

/**
 * Throws TargetRefusedError unless this host alone decides on its folder, and may name an old one.
 */
export async function requireOwnChoice(homeDir: string, now: string): Promise<void> {
  if ((await clusterMarkIn(now).read()) !== null)
    refuse(
      'The data of a cluster stays where all its hosts find it. Stop them, and run `slipway ' +
        'cluster leave` first.',
    )

  // Only one old folder is noted, and another would never be named again.
  const old = (await pointerIn(homeDir).read())?.old ?? null
  if (old !== null && !(await isGone(old))) refuse(`Move the old folder ${old} to the trash first.`)
}

async function requireEmpty(dir: string): Promise<void> {
  if (!(await stat(dir)).isDirectory()) refuse(`${dir} is not a folder.`)
  if (await holdsLibrary(dir))
    refuse(`${dir} already contains Slipway data. Choose an empty folder.`)
  if ((await copyMarkIn(dir).read()) !== null)
    refuse(`${dir} contains an incomplete copy. Delete it, or choose another folder.`)
  const other = (await readdir(dir)).find((name) => !staysBehind(name))
  if (other !== undefined)
    refuse(`${dir} is not empty: it contains ${other}. Create a new folder and choose that.`)
}

async function requireWritable(dir: string): Promise<void> {
  const probe = probeIn(dir)
  await writeFile(probe, '', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    const code = errorCode(error) ?? ''
    refuse(
      ['EACCES', 'EPERM', 'EROFS'].includes(code)
        ? `Slipway cannot write to ${dir}. Choose another folder.`
        : `Cannot write to ${dir} (${code}). Choose another folder.`,
    )
  })
  await rm(probe, { force: true })
}

/** Tries it, because not every disk supports hard links. */
async function canShare(from: string, to: string): Promise<boolean> {
  const probe = probeIn(to)
  try {
    return await linkTo(join(from, 'secrets.json'), probe)
  } catch {
    return false
  } finally {
    await rm(probe, { force: true })
  }
}

/** Unique, as two clients may probe the same folder concurrently. */
const probeIn = (dir: string) => join(dir, `moving.${randomBytes(8).toString('hex')}.probe`)

function refuse(why: string): never {
  throw new TargetRefusedError(why)
}

export const inMb = (bytes: number) => Math.ceil(bytes / 1024 / 1024)
