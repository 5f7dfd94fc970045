import type { Dirent } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../core/errors'
import { errorCode } from '../../core/durable-file'
import type { WatchRecord, WatchedFileRecord } from '../../data/records/watch-records'
import { isFinishedName, matchesPattern } from './name-pattern'

/** A file in a watched folder. */
export type Entry = Pick<WatchedFileRecord, 'name' | 'size' | 'modifiedMs'>

/** The folder and the files to find. */
export type FolderSearch = Pick<WatchRecord, 'folder' | 'pattern' | 'withBelow'>

/** Concurrent `lstat` calls. */
const AT_ONCE = 16
/** Limits the scan: choosing a whole disk is a mistake. */
const LEVELS_BELOW = 8
const MOST_BELOW = 2000
const MOST_FILES = 10_000

/**
 * Returns the matching files of a folder, except links and empty files. `identity` changes when
 * another folder replaces it. Throws system errors, and AppError for too many entries.
 */
export async function lookInto(
  search: FolderSearch,
): Promise<{ entries: Entry[]; identity: string }> {
  const { folder } = search
  const { dev, ino } = await stat(folder, { bigint: true })
  const names = await listNames(search)

  const entries: Entry[] = []
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const some = names.slice(start, start + AT_ONCE).map((name) => readEntry(folder, name))
    for (const entry of await Promise.all(some)) if (entry) entries.push(entry)
  }

  return { entries, identity: `${dev}:${ino}` }
}

/** Reads an entry. Undefined for missing, special and empty files: programs create, then write. */
export async function readEntry(folder: string, name: string): Promise<Entry | undefined> {
  const stats = await lstat(join(folder, name)).catch((cause: unknown) => {
    if (hasGone(cause)) return undefined
    throw cause
  })
  return stats?.isFile() && stats.size > 0
    ? { name, size: stats.size, modifiedMs: stats.mtimeMs }
    : undefined
}

/** Lists matching names breadth-first, so that near files are found first. */
async function listNames({ folder, pattern, withBelow }: FolderSearch): Promise<string[]> {
  const names: string[] = []
  let level = ['']
  let below = 0

  for (let depth = 0; level.length > 0; depth++) {
    const next: string[] = []
    for (const way of level) {
      for (const it of await readFolder(folder, way)) {
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

/** Skips a subfolder that is unreadable or was deleted. */
async function readFolder(folder: string, way: string): Promise<Dirent[]> {
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
