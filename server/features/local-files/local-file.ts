import { constants, type BigIntStats } from 'node:fs'
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { MAX_UPLOAD_BYTES } from '../../contract'
import { AppError } from '../../core/errors'
import { errorCode } from '../../data/durable-file'

/** A file of this machine that is to be published where it lies. */
export interface LocalFile {
  /** Absolute. */
  path: string
  /** What it was when it was chosen: bytes, and ms since 1970. Another file is not published in its place. */
  seen?: { size: number; modifiedMs: number }
  /**
   * The folder, a prefix of the path, below which no link is followed: of a watched folder, others may swap what lies below.
   * Undefined: a person chose the file itself, and links lead where they lead.
   */
  within?: string
}

/** Two clocks that tell the same time may round it differently, in ms. */
const ROUNDING_MS = 1

/** A pipe or a device that lies there instead must not hold us. (Windows has neither flag.) */
const READ = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0)
const NO_LINK = (constants.O_NOFOLLOW as number | undefined) ?? 0

/** The texts are for people; the file is named by who shows them. */
const refused = (text: string) => new AppError('invalid_input', text, 'file')
const changed = () =>
  new AppError(
    'precondition_failed',
    'The file changed while it was being published; choose it again to publish its current version',
    'file',
  )

/** A file that is open for being published. Whoever opened it closes it. */
export interface OpenFile {
  handle: FileHandle
  path: string
  /** Bytes; what is written behind them meanwhile is left out. */
  size: number
  /** Throws `precondition_failed` if it was written to since it was opened. */
  requireUnchanged: () => Promise<void>
}

/**
 * Opens a file for publishing. Throws AppError for what is no plain file with bytes in it, for what cannot be read, for
 * what belongs to the library itself, and (`precondition_failed`) for what is not what it was.
 */
export async function openLocalFile(file: LocalFile, dataDir: string): Promise<OpenFile> {
  const handle = await open(file.path, file.within === undefined ? READ : READ | NO_LINK).catch((cause: unknown) => {
    throw unreadable(cause)
  })
  try {
    await requireWhereItLies(handle, file)
    await requireOutside(handle, file.path, dataDir)
    const before = await handle.stat({ bigint: true })
    requirePublishable(before, file)
    const requireUnchanged = async () => {
      const now = await handle.stat({ bigint: true })
      if (now.size !== before.size || now.mtimeNs !== before.mtimeNs) throw changed()
    }
    return { handle, path: file.path, size: Number(before.size), requireUnchanged }
  } catch (cause) {
    await handle.close()
    throw cause
  }
}

function requirePublishable(stat: BigIntStats, { seen }: LocalFile): void {
  if (stat.isDirectory()) throw refused('Folders are not supported: choose the files in it, or a zip of it')
  if (!stat.isFile()) throw refused('That is not a file, but a device or a pipe')
  const size = Number(stat.size)
  const modifiedMs = Number(stat.mtimeMs)
  if (seen && (seen.size !== size || Math.abs(seen.modifiedMs - modifiedMs) > ROUNDING_MS)) throw changed()
  if (size === 0) throw refused('The file is empty')
  if (size > MAX_UPLOAD_BYTES) throw new AppError('too_large', 'The file is larger than 2 GB', 'file')
}

/**
 * The path was looked at before it was opened: a folder on the way may have become a link since. What counts is where the
 * open file lies.
 */
async function requireWhereItLies(handle: FileHandle, { path, within }: LocalFile): Promise<void> {
  if (within === undefined) return
  const expected = join(await realpath(within), relative(within, path))
  if (!isSamePath(await pathOf(handle, path), expected)) throw changed()
  const opened = await handle.stat({ bigint: true })
  const named = await stat(expected, { bigint: true })
  if (opened.ino !== named.ino || opened.dev !== named.dev) throw changed()
}

/** Where an open file lies, as Linux tells it; elsewhere, where its path leads now. */
const pathOf = (handle: FileHandle, path: string): Promise<string> =>
  readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(path))

/** Some disks answer to a name in other letters than it was asked by. */
const isSamePath = (one: string, other: string) => normal(one) === normal(other)
const normal = (path: string) => path.normalize().toLowerCase()

/** The secrets and the records of this host are no builds. */
async function requireOutside(handle: FileHandle, path: string, dataDir: string): Promise<void> {
  const way = relative(await realpath(dataDir), await pathOf(handle, path))
  if (!isAbsolute(way) && !way.startsWith(`..${sep}`)) throw refused('This file belongs to the data folder of Slipway')
}

/** What to tell people of a file that the system did not open, or stopped reading. */
export const unreadable = (cause: unknown): AppError => refused(whyUnreadable(cause))

function whyUnreadable(cause: unknown): string {
  const code = errorCode(cause) ?? ''
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'The file was moved or deleted'
  if (code === 'EACCES' || code === 'EPERM') return 'The file cannot be read: your account has no permission to open it'
  if (code === 'ELOOP') return 'That is a link, not a file'
  if (code === 'EISDIR') return 'Folders are not supported: choose the files in it, or a zip of it'
  if (code === 'ENXIO' || code === 'EOPNOTSUPP') return 'That is not a file, but a device or a pipe'
  return `The file cannot be read (${code || 'unknown error'})`
}
