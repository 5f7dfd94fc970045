import { constants, type BigIntStats } from 'node:fs'
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { AppError } from '../../core/errors'
import { errorCode } from '../../core/durable-file'

/** A file of this machine to publish. */
export interface LocalFile {
  path: string
  /** Size in bytes and ms since 1970 when the file was chosen. A changed file is refused. */
  snapshot?: { size: number; modifiedMs: number }
  /**
   * The prefix of the path below which links are not followed, because other users may replace the
   * contents of a watched folder. Undefined: a person chose the file, so links are followed.
   */
  within?: string
}

/** Clocks may round the same time differently, in ms. */
const ROUNDING_MS = 1

/** Opening a pipe or device must not block. (Windows has neither flag.) */
const READ = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0)
const NO_LINK = (constants.O_NOFOLLOW as number | undefined) ?? 0

/** Creates an error about a file. The caller adds the filename. */
const unreadableError = (text: string) => new AppError('invalid_input', text, 'file')
const changedError = () =>
  new AppError(
    'precondition_failed',
    'The file changed while it was being published; choose it again to publish its current version',
    'file',
  )

/** A file opened for publishing. */
export interface OpenFile extends AsyncDisposable {
  handle: FileHandle
  path: string
  /** In bytes. Later appends are ignored. */
  size: number
  /** Throws `precondition_failed` if the file changed since it was opened. */
  requireUnchanged: () => Promise<void>
}

/**
 * Opens a file for publishing. Throws AppError for unreadable, empty and special files and files of
 * Slipway itself, and `precondition_failed` for a changed file.
 */
export async function openLocalFile(file: LocalFile, dataDir: string): Promise<OpenFile> {
  const handle = await open(file.path, file.within === undefined ? READ : READ | NO_LINK).catch(
    (cause: unknown) => {
      throw unreadable(cause)
    },
  )

  try {
    await requireWhereItLies(handle, file)
    await requireOutside(handle, file.path, dataDir)
    const before = await handle.stat({ bigint: true })
    requirePublishable(before, file)

    const requireUnchanged = async () => {
      const now = await handle.stat({ bigint: true })
      if (now.size !== before.size || now.mtimeNs !== before.mtimeNs) throw changedError()
    }

    return {
      handle,
      path: file.path,
      size: Number(before.size),
      requireUnchanged,
      [Symbol.asyncDispose]: () => handle.close(),
    }
  } catch (cause) {
    await handle.close()
    throw cause
  }
}

function requirePublishable(stat: BigIntStats, { snapshot }: LocalFile): void {
  if (stat.isDirectory())
    throw unreadableError('Folders are not supported: choose the files in it, or a zip of it')
  if (!stat.isFile()) throw unreadableError('That is not a file, but a device or a pipe')

  const size = Number(stat.size)
  const modifiedMs = Number(stat.mtimeMs)
  if (
    snapshot &&
    (snapshot.size !== size || Math.abs(snapshot.modifiedMs - modifiedMs) > ROUNDING_MS)
  )
    throw changedError()

  if (size === 0) throw unreadableError('The file is empty')
}

/**
 * Checks the path of the open file, because a parent folder may have become a link since the path
 * was checked.
 */
async function requireWhereItLies(handle: FileHandle, { path, within }: LocalFile): Promise<void> {
  if (within === undefined) return
  const expected = join(await realpath(within), relative(within, path))
  if (!isSamePath(await resolvePath(handle, path), expected)) throw changedError()
  const opened = await handle.stat({ bigint: true })
  const named = await stat(expected, { bigint: true })
  if (opened.ino !== named.ino || opened.dev !== named.dev) throw changedError()
}

/** Returns the real path of an open file on Linux; elsewhere, the current target of its path. */
const resolvePath = (handle: FileHandle, path: string): Promise<string> =>
  readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(path))

/** Some disks ignore case or Unicode form. */
const isSamePath = (one: string, other: string) => normal(one) === normal(other)
const normal = (path: string) => path.normalize().toLowerCase()

/** Secrets, records and private files of this host must not be published. */
async function requireOutside(handle: FileHandle, path: string, dataDir: string): Promise<void> {
  const there = await resolvePath(handle, path)
  const way = relative(await realpath(dataDir), there)
  if (!isAbsolute(way) && !way.startsWith(`..${sep}`))
    throw unreadableError('This file belongs to the data folder of Slipway')
}

/** Describes a file that could not be opened or read. */
export const unreadable = (cause: unknown): AppError => unreadableError(whyUnreadable(cause))

function whyUnreadable(cause: unknown): string {
  const code = errorCode(cause) ?? ''
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'The file was moved or deleted'
  if (code === 'EACCES' || code === 'EPERM')
    return 'The file cannot be read: your account has no permission to open it'
  if (code === 'ELOOP') return 'That is a link, not a file'
  if (code === 'EISDIR') return 'Folders are not supported: choose the files in it, or a zip of it'
  if (code === 'ENXIO' || code === 'EOPNOTSUPP') return 'That is not a file, but a device or a pipe'
  return `The file cannot be read (${code || 'unknown error'})`
}
