import { chmod, mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AUDIT_DIR } from '../day-log/day-log'
import { isFull, makeFolders, renameFolder, syncDir, unlessMissing } from '../../core/durable-file'
import { writeFreshLibrary } from '../library/fresh-library'
import { readLibrary, type LibrarySnapshot } from '../library/read-library'
import { BlobCollector, type BackupSource, type CollectOptions } from './blob-collector'
import { cataloguePath } from '../repair/catalogue'
import { copyHashed } from '../copy-files'
import { FEED_HISTORY, listFeedHistories, OLD_FEED_HISTORY } from '../settings/feed-history'
import { copySecrets, RELEASE_KEYS, SECRETS } from '../settings/secrets'
import { readDamaged, writeManifest } from './manifest'
import { newFolder, notWritable, requireLibrary, requireOutside } from './places'
import { promisedBlobs, recordsOf } from '../repair/records'
import { describeDamage, DIFFERS } from '../blobs/damaged-blobs'
import { verify } from '../repair/verify'

const NAME = /^backup-\d{4}-\d\d-\d\dT[\d-]+Z$/
const PARTIAL = /^\.partial-backup-\d{4}-\d\d-\d\dT[\d-]+Z$/
const ATTEMPTS = 5

export interface Backup {
  path: string
  blobs: number
  /** Blobs that share disk space with the previous backup or the data folder. */
  linked: number
  /** Those of them that are one file with the data folder, so that damage reaches both. */
  shared: number
  /** Damage in the data folder that is in the backup, too, one sentence for each file. */
  problems: string[]
}

export interface BackupOptions extends CollectOptions {
  /** Reads the library of the data folder, where it is not in it. */
  read?: ((dataDir: string) => Promise<LibrarySnapshot>) | undefined
  /** The bytes, where they are in no folder. */
  blobs?: BackupSource | undefined
}

/**
 * Copies a data folder to `target/backup-<time>`, also while the host runs. A failure leaves
 * nothing.
 */
export async function backUp(
  dataDir: string,
  target: string,
  now: Date,
  options: BackupOptions = {},
): Promise<Backup> {
  const base = await newFolder(target)
  await requireLibrary(dataDir)
  await requireOutside(base, dataDir)
  const makes = await makeFolders(base).catch((error: unknown) => {
    throw notWritable(base, error)
  })
  if (makes !== undefined) await chmod(base, 0o700)
  await removePartials(base)

  const name = nameBackup(now)
  const partial = join(base, `.partial-${name}`)

  try {
    const made = await fill(partial, { dataDir, base, now, options })
    await renameFolder(partial, join(base, name))
    await syncDir(base)
    return { path: join(base, name), ...made }
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => undefined)
    if (makes !== undefined) await rmdir(base).catch(() => undefined)
    throw error
  }
}

interface Filling {
  dataDir: string
  base: string
  now: Date
  options: BackupOptions
}

async function fill(
  partial: string,
  { dataDir, base, now, options }: Filling,
): Promise<Omit<Backup, 'path'>> {
  await makeFolders(join(partial, 'blobs')).catch((error: unknown) => {
    throw isFull(error) ? error : notWritable(base, error)
  })
  const newest = await newestBackup(base)

  const previous =
    newest === undefined ? undefined : { dir: newest, damaged: await readDamaged(newest) }
  const collector = await BlobCollector.create(options.blobs ?? dataDir, previous, partial, options)

  await collector.takeAll()
  const cut = await takeLibrary(() => (options.read ?? readLibrary)(dataDir), collector)
  const library = await writeFreshLibrary(partial, { ...cut, generation: cut.generation + 1 })
  const differing = collector.differing(promisedBlobs(recordsOf(cut.data)))

  const others = await takeSettings(dataDir, partial)
  // Lets `rebuild` work if the library in the backup is damaged.
  await unlessMissing(copyHashed(cataloguePath(dataDir), cataloguePath(partial)))
  await collector.finish()
  const audit = await takeAudit(dataDir, partial)
  const damaged = differing.map(({ blobId }) => blobId)

  await writeManifest(partial, [...library, ...others, ...audit], {
    blobs: collector.count,
    damaged,
    now,
  })

  await syncDir(partial)

  const found = await verify(partial, { readData: false })
  const wrong = differing
    .filter(({ blobId }) => found.damaged.every((it) => it.blobId !== blobId))
    .map((blob) => describeDamage(blob, DIFFERS).problem)
  const { count, linked, shared } = collector
  return { blobs: count, linked, shared, problems: [...found.problems, ...wrong] }
}

/** The name of the backup of that moment. */
export const nameBackup = (now: Date): string =>
  `backup-${now.toISOString().replaceAll(/[:.]/g, '-')}`

/** The newest complete backup in a folder of backups. */
export const newestBackup = async (base: string): Promise<string | undefined> =>
  (await listBackups(base))[0]

/** The complete backups in a folder, newest first. */
export async function listBackups(base: string): Promise<string[]> {
  const names = (await readdir(base)).filter((name) => NAME.test(name)).sort()
  return names.reverse().map((name) => join(base, name))
}

/** Reads the library after the blobs, so that only blobs published in between are missing. */
async function takeLibrary(
  read: () => Promise<LibrarySnapshot>,
  collector: BlobCollector,
): Promise<LibrarySnapshot> {
  for (let attempt = 1; ; attempt++) {
    const cut = await read()
    const isWhole = await collector.keepOnly(promisedBlobs(recordsOf(cut.data)))
    // Blobs that are still missing were not deleted concurrently: `verify` lists them, and the
    // backup has the others.
    if (isWhole || attempt === ATTEMPTS) return cut
  }
}

async function takeSettings(dataDir: string, partial: string): Promise<string[]> {
  const hasSecrets = await copySecrets(dataDir, partial)
  const names = hasSecrets ? [SECRETS] : []
  for (const name of ['settings.json', RELEASE_KEYS, OLD_FEED_HISTORY])
    if (await unlessMissing(copyHashed(join(dataDir, name), join(partial, name)))) names.push(name)

  // After the old file: once that is gone, all histories are in the folder.
  const paths = await listFeedHistories(dataDir)
  return [...names, ...(await takeFolder(dataDir, partial, { folder: FEED_HISTORY, paths }))]
}

/** Copies the audit log. Today's file may grow during the copy; a cut line is harmless. */
async function takeAudit(dataDir: string, partial: string): Promise<string[]> {
  const names = (await unlessMissing(readdir(join(dataDir, AUDIT_DIR)))) ?? []
  const paths = names.map((name) => `${AUDIT_DIR}/${name}`)
  return takeFolder(dataDir, partial, { folder: AUDIT_DIR, paths })
}

async function takeFolder(
  dataDir: string,
  partial: string,
  { folder, paths }: { folder: string; paths: readonly string[] },
): Promise<string[]> {
  if (paths.length === 0) return []
  await mkdir(join(partial, folder), { mode: 0o700 })

  const copied: string[] = []
  for (const path of paths) {
    if (await unlessMissing(copyHashed(join(dataDir, path), join(partial, path)))) copied.push(path)
  }

  await syncDir(join(partial, folder))
  return copied
}

async function removePartials(base: string): Promise<void> {
  const names = (await unlessMissing(readdir(base))) ?? []
  for (const name of names.filter((it) => PARTIAL.test(it)))
    await rm(join(base, name), { recursive: true })
}
