import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../core/clock'
import { syncDir } from '../durable-file'
import { readSecrets } from '../settings/secrets'
import { readManifest } from './manifest'

/** Every backup of so many days is kept. */
const KEEP_DAYS = 7
/** After that one of each week is kept, for so many weeks. */
const KEEP_WEEKS = 4

const NAME = /^backup-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/

/** Which of these backups, by their names, are kept no longer. Never the newest; what is no backup is no concern of ours. */
export function outdated(names: readonly string[], now: Date): string[] {
  const newestOfWeek = new Map<number, string>()
  const known = names.filter((name) => NAME.test(name)).sort()
  for (const name of known) newestOfWeek.set(weekOf(name), name)
  return known.slice(0, -1).filter((name) => {
    const days = (now.getTime() - timeOf(name)) / DAY_MS
    const isOfItsWeek = newestOfWeek.get(weekOf(name)) === name
    return days >= KEEP_DAYS && !(isOfItsWeek && days < KEEP_DAYS * (1 + KEEP_WEEKS))
  })
}

interface Pruned {
  /** The path of a backup that must be whole. */
  newest: string
  /** Which may be deleted, by name. */
  names: readonly string[]
  now: Date
}

/**
 * Deletes those that are outdated in a folder of backups. What was made by another host is left. A crash in here leaves
 * what the next backup takes away. Answers which of the names are there no longer.
 */
export async function prune(base: string, { newest, names, now }: Pruned): Promise<string[]> {
  await readManifest(newest)
  const ours = (await readSecrets(newest))?.sessionKeys ?? []
  const there = new Set(await readdir(base))
  const gone = names.filter((name) => !there.has(name))
  const left = names.filter((name) => there.has(name))
  for (const name of outdated(left, now)) {
    const theirs = (await readSecrets(join(base, name)).catch(() => undefined))?.sessionKeys ?? []
    if (!theirs.some((key) => ours.includes(key))) continue
    const leaving = join(base, `.partial-${name}`)
    await rename(join(base, name), leaving)
    await rm(leaving, { recursive: true })
    gone.push(name)
  }
  await syncDir(base)
  return gone
}

const timeOf = (name: string) => Date.parse(name.replace(NAME, '$1T$2:$3:$4.$5Z'))
const weekOf = (name: string) => Math.floor(timeOf(name) / DAY_MS / 7)
