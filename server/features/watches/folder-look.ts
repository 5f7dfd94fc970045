import type { Dirent } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../core/errors'
import { errorCode } from '../../data/durable-file'
import { isFinishedName, matchesPattern } from './name-pattern'

/** A file of a folder, as the folder tells of it. */
export interface Entry {
  /** In a folder below: with the way there, parted by `/`. */
  name: string
  /** Bytes. */
  size: number
  /** When it was last written to, in ms since 1970. */
  modifiedMs: number
}

/** Where to look, and for what. */
export interface Wanted {
  /** Absolute. */
  folder: string
  /** Which names count. */
  pattern: string
  /** Whether folders below count too. */
  withBelow: boolean
}

/** So many files are asked about at once. */
const AT_ONCE = 16
/** How far below a folder may be, and how many there may be: whoever chooses a whole disk is told to choose better. */
const LEVELS_BELOW = 8
const MOST_BELOW = 2000
const MOST_FILES = 10_000

/**
 * The files of a folder that match and may be builds; no links, nothing empty. `identity` changes when another folder has
 * come in its place. Throws errors of the system, and AppError where too much lies below.
 */
export async function lookInto(wanted: Wanted): Promise<{ entries: Entry[]; identity: string }> {
  const { folder } = wanted
  const { dev, ino } = await stat(folder, { bigint: true })
  const names = await namesIn(wanted)
  const entries: Entry[] = []
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const some = names.slice(start, start + AT_ONCE).map((name) => entryOf(folder, name))
    for (const entry of await Promise.all(some)) if (entry) entries.push(entry)
  }
  return { entries, identity: `${dev}:${ino}` }
}

/** Undefined for what has gone meanwhile, is no file, or is empty: programs reserve a name before they write. */
export async function entryOf(folder: string, name: string): Promise<Entry | undefined> {
  const found = await lstat(join(folder, name)).catch((cause: unknown) => {
    if (hasGone(cause)) return undefined
    throw cause
  })
  return found?.isFile() && found.size > 0 ? { name, size: found.size, modifiedMs: found.mtimeMs } : undefined
}

/** Level by level, so that what is near is found first. */
async function namesIn({ folder, pattern, withBelow }: Wanted): Promise<string[]> {
  const names: string[] = []
  let level = ['']
  let below = 0
  for (let depth = 0; level.length > 0; depth++) {
    const next: string[] = []
    for (const way of level) {
      for (const it of await contentsOf(folder, way)) {
        if (!isFinishedName(it.name)) continue
        if (it.isFile() && matchesPattern(it.name, pattern)) names.push(way + it.name)
        if (it.isDirectory() && withBelow && depth < LEVELS_BELOW) next.push(`${way}${it.name}/`)
      }
      if (withBelow) requireFew(names.length, below + next.length)
    }
    below += next.length
    level = next
  }
  return names
}

/** A folder below that has gone meanwhile, or that nobody may read, is passed over. */
async function contentsOf(folder: string, way: string): Promise<Dirent[]> {
  return readdir(join(folder, way), { withFileTypes: true }).catch((cause: unknown) => {
    const code = errorCode(cause)
    if (way !== '' && (hasGone(cause) || code === 'EACCES' || code === 'EPERM')) return []
    throw cause
  })
}

function requireFew(files: number, folders: number): void {
  if (files <= MOST_FILES && folders <= MOST_BELOW) return
  const most = files > MOST_FILES ? `${MOST_FILES} such files` : `${MOST_BELOW} folders`
  throw new AppError(
    'invalid_input',
    `The folder contains more than ${most}: choose one closer to the builds`,
    'folder',
  )
}

const hasGone = (cause: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errorCode(cause) ?? '')
