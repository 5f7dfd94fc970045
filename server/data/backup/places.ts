import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { errorCode } from '../durable-file'
import { holdsLibrary } from '../library/journal/library-files'

/** The whole path of a folder that must be there. Throws with a sentence for people. */
export async function existingFolder(named: string): Promise<string> {
  const path = await realpath(named).catch(() => undefined)
  if (path === undefined) throw new Error(`There is no folder ${named}`)
  if (!(await stat(path)).isDirectory()) throw new Error(`${named} is not a folder`)
  return path
}

/** Throws, before anything is changed in it, unless a library lies in this folder. */
export async function requireLibrary(dir: string): Promise<void> {
  if (!(await holdsLibrary(await existingFolder(dir)))) throw new Error(`There is no library in ${dir}`)
}

/** The whole path of a folder that need not be there yet, without links. Throws where a file is in its way. */
export async function newFolder(named: string): Promise<string> {
  const path = resolve(named)
  const there = await stat(path).catch(() => undefined)
  if (there && !there.isDirectory()) throw new Error(`${named} is not a folder`)
  return there ? realpath(path) : join(await newFolder(dirname(path)), basename(path))
}

/** Whether `inner` lies below `outer`. */
export function isInside(inner: string, outer: string): boolean {
  const way = relative(outer, inner)
  return way !== '' && !way.startsWith('..') && !isAbsolute(way)
}

/** Throws where a folder lies in a data folder, or is one: what is there belongs to its host. */
export async function requireOutsideOfData(dir: string): Promise<void> {
  for (let above = dir; ; above = dirname(above)) {
    // What may not be looked into is not ours.
    const isData = await holdsLibrary(above).catch(() => false)
    if (isData) throw new Error(`${dir} is inside the data folder ${above}: choose a folder outside it`)
    if (above === dirname(above)) return
  }
}

/** The same for one data folder, also where its library is damaged. */
export async function requireOutside(dir: string, dataDir: string): Promise<void> {
  const data = await realpath(dataDir)
  if (dir === data || isInside(dir, data))
    throw new Error(`${dir} is inside the data folder: choose a folder outside it`)
}

/** Says of a folder that could not be made why, for people. */
export function notWritable(dir: string, cause: unknown): Error {
  return new Error(`Cannot write to ${dir} (${errorCode(cause) ?? String(cause)})`, { cause })
}

/** Says of a full disk that nothing was left on it; everything else stays as it is. */
export function tellFull(error: unknown, place: string): unknown {
  if (!['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '')) return error
  return new Error(`The disk of ${resolve(place)} is full; the partial copy was removed`, { cause: error })
}
