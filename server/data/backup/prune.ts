import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../core/clock'
import { renameFolder, syncDir } from '../../core/durable-file'
import { readSecrets } from '../settings/secrets'
import { readManifest } from './manifest'

/** Every backup of the last days is kept. */
const KEEP_DAYS = 7
/** After that, one backup per week is kept. */
const KEEP_WEEKS = 4

const NAME = /^backup-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/

/** The names of the backups to delete. Never the newest, and never names that are not backups. */
export function findOutdated(names: readonly string[], now: Date): string[] {
  const newestOfWeek = new Map<number, string>()
  const backupNames = names.filter((name) => NAME.test(name)).sort()
  for (const name of backupNames) newestOfWeek.set(weekOf(name), name)
  return backupNames.slice(0, -1).filter((name) => {
    const days = (now.getTime() - timeOf(name)) / DAY_MS
    const isOfItsWeek = newestOfWeek.get(weekOf(name)) === name
    return days >= KEEP_DAYS && !(isOfItsWeek && days < KEEP_DAYS * (1 + KEEP_WEEKS))
  })
}

interface Pruned {
  newest: string
  names: readonly string[]
  now: Date
}

/** Deletes outdated backups of this host. Returns the names that no longer exist. */
export async function prune(base: string, { newest, names, now }: Pruned): Promise<string[]> {
  await readManifest(newest)
  const ours = (await readSecrets(newest))?.sessionKeys ?? []

  const there = new Set(await readdir(base))
  const gone = names.filter((name) => !there.has(name))
  const existingNames = names.filter((name) => there.has(name))

  for (const name of findOutdated(existingNames, now)) {
    const theirs = (await readSecrets(join(base, name)).catch(() => undefined))?.sessionKeys ?? []
    if (!theirs.some((key) => ours.includes(key))) continue

    const leaving = join(base, `.partial-${name}`)
    await renameFolder(join(base, name), leaving)
    await rm(leaving, { recursive: true })
    gone.push(name)
  }

  await syncDir(base)
  return gone
}

const timeOf = (name: string) => Date.parse(name.replace(NAME, '$1T$2:$3:$4.$5Z'))
const weekOf = (name: string) => Math.floor(timeOf(name) / DAY_MS / 7)
