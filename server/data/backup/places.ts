import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { errorCode } from '../../core/durable-file'
import { holdsLibrary } from '../library/journal/library-files'

/** The absolute path of an existing folder. Throws with a readable message. */
export async function existingFolder(named: string): Promise<string> {
  const path = await realpath(named).catch(() => undefined)
  if (path === undefined) throw new Error(`There is no folder ${named}`)
  if (!(await stat(path)).isDirectory()) throw new Error(`${named} is not a folder`)
  return path
}

/** Throws unless this folder contains a library; changes nothing. */
export async function requireLibrary(dir: string): Promise<void> {
  if (!(await holdsLibrary(await existingFolder(dir))))
    throw new Error(`There is no library in ${dir}`)
}

/**
 * The absolute path, without links, of a folder that may not exist yet. Throws if a file is in the
 * way.
 */
export async function newFolder(named: string): Promise<string> {
  const path = resolve(named)
  const there = await stat(path).catch(() => undefined)
  if (there && !there.isDirectory()) throw new Error(`${named} is not a folder`)
  return there ? realpath(path) : join(await newFolder(dirname(path)), basename(path))
}

/** Whether `inner` is below `outer`. */
export function isInside(inner: string, outer: string): boolean {
  const way = relative(outer, inner)
  return way !== '' && !way.startsWith('..') && !isAbsolute(way)
}

/** Throws if a folder is, or is inside, a data folder: those belong to their host. */
export async function requireOutsideOfData(dir: string): Promise<void> {
  for (let above = dir; ; above = dirname(above)) {
    // A folder that we may not read is not ours.
    const isData = await holdsLibrary(above).catch(() => false)
    if (isData)
      throw new Error(`${dir} is inside the data folder ${above}: choose a folder outside it`)
    if (above === dirname(above)) return
  }
}

/** Like `requireOutsideOfData` for one data folder, even with a damaged library. */
export async function requireOutside(dir: string, dataDir: string): Promise<void> {
  const data = await realpath(dataDir)
  if (dir === data || isInside(dir, data))
    throw new Error(`${dir} is inside the data folder: choose a folder outside it`)
}

/** A readable error for a folder that could not be created. */
export function notWritable(dir: string, cause: unknown): Error {
  return new Error(`Cannot write to ${dir} (${errorCode(cause) ?? String(cause)})`, { cause })
}

/** Turns a disk-full error into a readable one. Returns other errors unchanged. */
export function tellFull(error: unknown, place: string): unknown {
  if (!['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '')) return error
  return new Error(`The disk of ${resolve(place)} is full; the partial copy was removed`, {
    cause: error,
  })
}
