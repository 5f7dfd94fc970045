import { realpath } from 'node:fs/promises'
import { isAbsolute, posix, relative, sep } from 'node:path'
import { AppError } from '../../core/errors'
import { lookInto, type Entry, type FolderSearch } from './folder-look'
import { matchesPattern } from './name-pattern'
import type { WatchChange } from './watch-store'
import type { WatchRecord } from '../../data/records/watch-records'

/** Existing files that are new to this watch: after a change of folder or pattern, or a pause. */
export async function newlyPresent(before: WatchRecord, change: WatchChange): Promise<Entry[]> {
  const isNew = before.isPaused || before.folder !== change.folder
  const isSame = before.pattern === change.pattern && before.withBelow === change.withBelow
  if (change.isPaused || (!isNew && isSame)) return []
  const there = await listEntries(change)
  return isNew ? there : there.filter(({ name }) => !isAskedFor(before, name))
}

function isAskedFor({ pattern, withBelow }: FolderSearch, name: string): boolean {
  const filename = posix.basename(name)
  return matchesPattern(filename, pattern) && (withBelow || filename === name)
}

export async function listEntries(search: FolderSearch): Promise<Entry[]> {
  const result = await lookInto(search).catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause
    throw new AppError('invalid_input', 'This folder cannot be read', 'folder')
  })
  return result.entries
}

/** Secrets, records and private files of this host must not be published. */
export async function requireApart(
  { folder, withBelow }: FolderSearch,
  dataDir: string,
): Promise<void> {
  const watched = await realpath(folder).catch(() => folder)
  const folderError = (text: string) => new AppError('invalid_input', text, 'folder')
  const own = await realpath(dataDir)
  if (isInside(watched, own))
    throw folderError('That folder belongs to Slipway itself: choose another')
  if (withBelow && isInside(own, watched))
    throw folderError('That folder contains the data of Slipway: choose another')
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`)
}
