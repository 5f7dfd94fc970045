import { lstat, mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { makeFolders, renameFolder, syncDir, unlessMissing } from '../../core/durable-file'
import { mendSettings } from '../settings/mend-settings'
import { holdBack, type RestoredData } from '../settings/restored-settings'
import { copySecrets, SECRETS } from '../settings/secrets'
import { Settings, SettingsError } from '../settings/settings'
import { newestBackup } from './backup'
import { copyHashed, type CopyOptions } from '../copy-files'
import { readManifest } from './manifest'
import { existingFolder, newFolder, notWritable, requireOutsideOfData } from './places'
import { promisedBlobs } from '../repair/records'
import { readChecked, restoreLibrary } from './restore-library'
import { isZip, unpackBackup } from './zipped-backup'

export interface Restored {
  from: string
  blobs: number
  /** Besides the host account. */
  accounts: number
  /** Second factors and links of single sign-on. Those removed since the backup work again. */
  withFactors: number
  /** Addresses that get mails. One that ended them since the backup gets them again. */
  subscribed: number
  paused: string[]
  /** The names of files that the backup has only damaged, so that they are not restored. */
  damaged: string[]
  /** The records that are not valid, or need one that is not; one sentence each. */
  leftOut: string[]
  /** Settings that need confirmation, or undefined if there are none. */
  held: RestoredData | undefined
  /** New path of an unreadable `settings.json`. Undefined if it was readable. */
  invalidSettings: string | undefined
}

interface RestoreOptions extends CopyOptions {
  acceptSettings?: boolean
}

/** What a backup has. */
export interface BackupView {
  from: string
  /** UTC ISO 8601. */
  createdAt: string
  accounts: number
  projects: number
  files: number
  /** Bytes of all files and pictures. */
  bytes: number
  /** Whether it is in a ZIP, which a restore unpacks first. */
  isZip: boolean
}

/**
 * Reads what a backup has, or the newest one in a folder or a ZIP of backups, and checks its
 * records. Throws with a readable message. Changes nothing.
 */
export async function viewBackup(source: string): Promise<BackupView> {
  if (!isZip(source)) return viewFolder(source)

  const unpacked = await mkdtemp(join(tmpdir(), 'slipway-backup-'))
  try {
    await unpackBackup(source, unpacked, { isView: true })
    return { ...(await viewFolder(unpacked)), from: source, isZip: true }
  } finally {
    await rm(unpacked, { recursive: true, force: true })
  }
}

async function viewFolder(source: string): Promise<BackupView> {
  const { from, manifest } = await openBackup(source)
  const { records } = await readChecked(from, from)

  return {
    from,
    isZip: false,
    createdAt: manifest.createdAt,
    accounts: records.users.size,
    projects: records.projects.size,
    files: records.files.size,
    bytes: [...promisedBlobs(records)].reduce((sum, { size }) => sum + size, 0),
  }
}

/**
 * Creates a data folder from a backup, or from the newest one in a folder or a ZIP of backups. They
 * are untrusted: every record and byte is checked, links are rejected, watched folders are paused,
 * and nothing is written elsewhere. The folder gets its name at the end, so that no host starts on
 * half of it. Throws if the target is not empty.
 */
export async function restore(
  source: string,
  dataDir: string,
  options: RestoreOptions = {},
): Promise<Restored> {
  const target = await newFolder(dataDir)
  await requireEmpty(target)
  await requireOutsideOfData(target)

  const partial = join(dirname(target), `.slipway-restore-${basename(target)}`)
  await rm(partial, { recursive: true, force: true })
  if (isZip(source)) return restoreZip(source, target, options)

  const { from, manifest } = await openBackup(source)
  await makeFolders(join(partial, 'blobs')).catch((error: unknown) => {
    throw notWritable(dirname(target), error)
  })

  try {
    await copyFiles(from, partial, manifest.files)
    const library = await restoreLibrary(from, partial, options)
    const settings = await takeSettings(partial, options)

    await syncDir(partial)
    await unlessMissing(rmdir(target))
    await renameFolder(partial, target)
    await syncDir(dirname(target))
    return { from, ...library, ...settings }
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => undefined)
    throw error
  }
}

/** Unpacks a ZIP beside the target first: it takes the space twice until the end. */
async function restoreZip(source: string, target: string, options: RestoreOptions) {
  const unpacked = join(dirname(target), `.slipway-restore-${basename(target)}-unpacked`)
  await rm(unpacked, { recursive: true, force: true })
  await unpackBackup(source, unpacked, options)

  try {
    return { ...(await restore(unpacked, target, options)), from: source }
  } finally {
    await rm(unpacked, { recursive: true, force: true }).catch(() => undefined)
  }
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

/** Throws on links and special files: their targets are not part of the backup. */
async function requireNoLinks(dir: string): Promise<void> {
  if (!(await lstat(dir)).isDirectory()) throw new Error(`${dir} is a link: name the folder itself`)
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) await requireNoLinks(path)
    else if (!entry.isFile())
      throw new Error(`${path} is not a regular file: Slipway does not make such backups`)
  }
}

/** Finds a backup, and refuses links and files that differ from its manifest. */
async function openBackup(source: string) {
  const folder = await existingFolder(source)
  const from = (await newestBackup(folder)) ?? folder
  await requireNoLinks(from)
  return { from, manifest: await readManifest(from) }
}

async function requireEmpty(dir: string): Promise<void> {
  const names = await unlessMissing(readdir(dir))
  if (names && names.length > 0) throw new Error(`${dir} is not empty: restore into a new folder`)
}

async function copyFiles(from: string, to: string, files: readonly { name: string }[]) {
  for (const { name } of files) {
    const target = join(to, name)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })

    if (name === SECRETS) await copySecrets(from, to)
    else await copyHashed(join(from, name), target)
    if (dirname(target) !== to) await syncDir(dirname(target))
  }
}
