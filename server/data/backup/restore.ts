import { lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode, syncDir } from '../durable-file'
import { writeFreshLibrary } from '../library/fresh-library'
import { removeOlderThan } from '../library/journal/library-files'
import { mendSettings } from '../settings/mend-settings'
import { readLibrary } from '../library/read-library'
import { holdBack, type RestoredData } from '../settings/restored-settings'
import { Settings, SettingsError } from '../settings/settings'
import { newestBackup } from './backup'
import { blobPath } from './blob-files'
import { takeOutInvalid } from '../repair/check-records'
import { copyHashed, unlessMissing } from './copy-files'
import { readManifest } from './manifest'
import { existingFolder, newFolder, notWritable, requireOutsideOfData } from './places'
import { promisedBlobs, recordsOf, type PromisedBlob, type Records } from '../repair/records'

export interface Restored {
  /** The backup that was taken. */
  from: string
  blobs: number
  /** Folders that were watched; they are paused. */
  paused: string[]
  /** Settings that wait for a person to accept them; undefined: none do. */
  held: RestoredData | undefined
  /** Where a `settings.json` that could not be read is kept; undefined: it could. */
  invalidSettings: string | undefined
}

interface RestoreOptions {
  /** Takes settings that point elsewhere as they are. */
  acceptSettings?: boolean
}

/**
 * Makes a data folder from a backup, or from the newest one of a folder of backups. Whoever made the backup, nothing is
 * written elsewhere and nothing of it reaches out: every record and byte is checked, links are refused, watched folders
 * are paused. The folder gets its name at the end, so that no host ever starts on half of it. Throws where something is
 * there.
 */
export async function restore(source: string, dataDir: string, options: RestoreOptions = {}): Promise<Restored> {
  const from = await backupAt(await existingFolder(source))
  const target = await newFolder(dataDir)
  await requireEmpty(target)
  await requireOutsideOfData(target)
  await requireNoLinks(from)
  const manifest = await readManifest(from)
  const partial = join(dirname(target), `.slipway-restore-${basename(target)}`)
  await rm(partial, { recursive: true, force: true })
  await mkdir(join(partial, 'blobs'), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw notWritable(dirname(target), error)
  })
  try {
    await copyFiles(from, partial, manifest.files)
    const library = await takeLibrary(from, partial)
    const settings = await takeSettings(partial, options)
    await syncDir(partial)
    await rmdir(target).catch(ignoreMissing)
    await rename(partial, target)
    await syncDir(dirname(target))
    return { from, ...library, ...settings }
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => undefined)
    throw error
  }
}

/** Checks the library before any blob is copied, and writes it again with its watched folders paused. */
async function takeLibrary(from: string, partial: string): Promise<Pick<Restored, 'blobs' | 'paused'>> {
  const cut = await readLibrary(partial)
  const [problem, ...more] = takeOutInvalid(cut.data)
  if (problem !== undefined) {
    throw new Error(`Cannot restore ${from}: ${problem}${more.length === 0 ? '' : `, and ${more.length} more`}`)
  }
  const records = recordsOf(cut.data)
  const paused = pauseWatches(records)
  endManaging(records)
  const blobs = await copyBlobs(from, partial, promisedBlobs(records))
  const generation = cut.generation + 1
  await writeFreshLibrary(partial, { ...cut, generation })
  await removeOlderThan(partial, generation)
  return { blobs, paused }
}

/** A folder that is watched is published: a backup must not choose one. Answers the folders. */
function pauseWatches({ watches }: Records): string[] {
  for (const [id, watch] of watches) watches.set(id, { ...watch, isPaused: true })
  return [...new Set([...watches.values()].map(({ folder }) => folder))]
}

/** `slipway manage` was run for another host, and the backup could name any session. */
function endManaging({ sessions }: Records): void {
  for (const [id, { manage: _, ...session }] of sessions) sessions.set(id, session)
}

async function takeSettings(
  partial: string,
  { acceptSettings = false }: RestoreOptions,
): Promise<Pick<Restored, 'held' | 'invalidSettings'>> {
  const invalidSettings = await Settings.open(partial).then(
    () => undefined,
    async (error: unknown) => {
      if (!(error instanceof SettingsError)) throw error
      return basename((await mendSettings(partial, new Date())).keptAs)
    },
  )
  return { invalidSettings, held: acceptSettings ? undefined : await holdBack(partial) }
}

/** Throws where anything in the folder is a link or no file: what it leads to is not part of the backup. */
async function requireNoLinks(dir: string): Promise<void> {
  if (!(await lstat(dir)).isDirectory()) throw new Error(`${dir} is a link: name the folder itself`)
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) await requireNoLinks(path)
    else if (!entry.isFile()) throw new Error(`${path} is not a regular file: Slipway does not make such backups`)
  }
}

async function backupAt(source: string): Promise<string> {
  return (await newestBackup(source)) ?? source
}

async function requireEmpty(dir: string): Promise<void> {
  const names = await readdir(dir).catch(ignoreMissing)
  if (names && names.length > 0) throw new Error(`${dir} is not empty: restore into a new folder`)
}

/** Everything but the blobs, each in the folder where it was. */
async function copyFiles(from: string, to: string, files: readonly { name: string }[]): Promise<void> {
  for (const { name } of files) {
    const target = join(to, name)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await copyHashed(join(from, name), target)
    if (dirname(target) !== to) await syncDir(dirname(target))
  }
}

async function copyBlobs(from: string, to: string, promised: Iterable<PromisedBlob>): Promise<number> {
  const shards = new Set<string>()
  let count = 0
  for (const { blobId, sha256, name } of promised) {
    const target = blobPath(to, blobId)
    shards.add(dirname(target))
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    const copied = await unlessMissing(copyHashed(blobPath(from, blobId), target))
    if (copied?.sha256 !== sha256)
      throw new Error(`${name} is damaged in this backup (blob ${blobId}): use an older one`)
    count++
  }
  for (const shard of shards) await syncDir(shard)
  await syncDir(join(to, 'blobs'))
  return count
}

function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined
  throw error
}
