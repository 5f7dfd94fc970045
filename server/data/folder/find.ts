import { isBackup } from '../backup/manifest'
import { isAbsent } from '../../core/durable-file'
import { holdsLibrary } from '../library/journal/library-files'
import { lockDataDir } from './lock/lock'
import { isMissing, strandedFiles } from './known-folders'
import { copyMarkIn, removeHalf } from './move/half-copy'
import { HERE, pointerIn, type Pointer } from './pointer'
import { formatFiles } from '../../texts/format'

/** The data was moved to a folder that is missing or empty. */
export class DataFolderMissingError extends Error {
  override readonly name = 'DataFolderMissingError'

  constructor(readonly dir: string) {
    super(`The data folder ${dir} is missing. Connect its disk and start Slipway again.`)
  }
}

/** A folder that contained data before is empty, and no move explains it. */
export class FolderEmptyError extends Error {
  override readonly name = 'FolderEmptyError'

  constructor(dir: string) {
    super(
      `The data folder ${dir} is empty, but it contained data before. Connect its disk and ` +
        'start Slipway again. If you emptied it yourself, start once with --start-empty.',
    )
  }
}

/** The library of a folder is missing, while blobs that it described exist. */
export class LibraryMissingError extends Error {
  override readonly name = 'LibraryMissingError'

  /** `files`: how many stored files the folder has. */
  constructor(
    readonly dir: string,
    readonly files: number,
  ) {
    const rest =
      files === 0 ? 'its other data is' : `${formatFiles(files)} ${files === 1 ? 'is' : 'are'}`
    super(
      `The library of ${dir} is missing, but ${rest} here. Run \`slipway rebuild --data ` +
        `${dir}\`, which makes it again, or restore a backup into a new folder. To begin with ` +
        'an empty library, start once with --start-empty.',
    )
  }
}

/** The location of the data. */
export interface FoundData {
  /** The folder that was given; it points to `dataDir` after a move. */
  homeDir: string
  dataDir: string
  /**
   * Result of the last move, as text, reported once. Undefined if no move ended since the last
   * start.
   */
  news: string | undefined
}

/**
 * Finds the data of `homeDir`, and cleans up after an interrupted move. Returns `homeDir` itself if
 * nothing was moved. Throws DataFolderMissingError and FolderEmptyError, so that no new library
 * starts while the old one is elsewhere, and DataDirLockedError while another Slipway moves it.
 */
export async function findData(homeDir: string): Promise<FoundData> {
  const pointer = await pointerIn(homeDir).read()
  if (!pointer) {
    if ((await copyMarkIn(homeDir).read()) !== null)
      throw new Error(`${homeDir} is an incomplete copy: delete it`)
    if (isMissing(homeDir)) throw new FolderEmptyError(homeDir)
    return { homeDir, dataDir: homeDir, news: undefined }
  }

  const dataDir = pointer.path ?? homeDir
  if (dataDir !== homeDir) {
    // An older folder may point to one that was moved again.
    if (await leadsOn(dataDir)) return { ...(await findData(dataDir)), homeDir }
    if (!(await holdsLibrary(dataDir)) && strandedFiles(dataDir) === undefined)
      throw new DataFolderMissingError(dataDir)
  }

  const news = pointer.moving ? await clearUp(pointer.moving, dataDir) : (pointer.news ?? undefined)
  if (news !== undefined) await pointerIn(homeDir).write({ ...pointer, moving: null, news: null })
  await copyMarkIn(dataDir)
    .remove()
    .catch(() => undefined)

  return { homeDir, dataDir, news }
}

/**
 * Like `findData`, for a host. Also throws if the folder is a backup, which a host would modify,
 * and, unless it may start empty, LibraryMissingError.
 */
export async function findHostData(homeDir: string, mayStartEmpty = false): Promise<FoundData> {
  if (await isBackup(homeDir))
    throw new Error(
      `${homeDir} is a backup. Restore it into a new folder, and start Slipway there.`,
    )

  const folders = await findData(homeDir)
  const files =
    mayStartEmpty || (await holdsLibrary(folders.dataDir))
      ? undefined
      : strandedFiles(folders.dataDir)

  if (files !== undefined) throw new LibraryMissingError(folders.dataDir, files)
  return folders
}

function ignoreAbsent(error: unknown): null {
  if (isAbsent(error)) return null
  throw error
}

async function leadsOn(dir: string): Promise<boolean> {
  const further = await pointerIn(dir).read().catch(ignoreAbsent)
  return further !== null && further.path !== null
}

/** Removes the rest of an interrupted move. Returns a report. */
async function clearUp(
  { to, token }: NonNullable<Pointer['moving']>,
  dataDir: string,
): Promise<string> {
  // The process that holds the folder may be moving it.
  const lock = await lockDataDir(dataDir)
  const isGone = await removeHalf(to, token, dataDir).catch(() => false)
  await lock.release()

  const rest = isGone
    ? 'The incomplete copy was removed.'
    : `The incomplete copy may still be in ${to}.`
  return (
    `Moving the data folder to ${to} was interrupted. Your data is still in ${dataDir}. ` + rest
  )
}

/** Makes `homeDir` point to `dataDir`. */
export async function pointTo(homeDir: string, dataDir: string): Promise<void> {
  const file = pointerIn(homeDir)
  await file.write({
    ...((await file.read()) ?? HERE),
    path: dataDir === homeDir ? null : dataDir,
    moving: null,
  })
}
