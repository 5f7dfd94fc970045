import type { ZipEntry } from './records'

/** A file of a folder, or an empty folder in it. */
export interface FolderMember {
  /** Below the folder, with `/` between names and at the end of an empty folder. */
  path: string
  /** Bytes; 0 of an empty folder. */
  size: number
  /** UTC ISO 8601. */
  modifiedAt: string
  isExecutable?: boolean
}

/** Limit of members. More would take hours to list, and programs fail to open such a zip. */
const MOST_MEMBERS = 100_000

/** Files that systems leave in every folder that they show. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])
export const isLeftOut = (name: string): boolean => LEFT_OUT.has(name)

/**
 * Lists the entries of a zip of a folder, with the folder on top, in an order that depends on names
 * only, so that a second run gives equal bytes. Throws Error with a sentence for people.
 */
export function listFolder<Member extends FolderMember>(
  folder: string,
  members: readonly Member[],
) {
  if (members.length === 0) throw new Error('This folder is empty, so there is nothing to upload.')
  if (members.length > MOST_MEMBERS)
    throw new Error('This folder has more than 100,000 files. Choose a zip of it instead.')
  const listed = members.map((member) => ({ member, entry: toEntry(folder, member) }))
  return listed.toSorted((a, b) => (a.entry.name < b.entry.name ? -1 : 1))
}

function toEntry(
  folder: string,
  { path, size, modifiedAt, isExecutable = false }: FolderMember,
): ZipEntry {
  const name = `${folder}/${path}`
  if (!name.replace(/\/$/, '').split('/').every(isSafe))
    throw new Error(`Rename “${name}”: other systems cannot store a file of this name.`)
  return { name, size, modifiedAt, isExecutable }
}

/** A name that stays in its folder on every system. */
const isSafe = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !/[\\\p{Cc}]/u.test(name)
