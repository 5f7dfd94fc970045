import { isBackup } from '../backup/manifest'
import { isAbsent } from '../durable-file'
import { holdsLibrary } from '../library/journal/library-files'
import { lockDataDir } from './lock/lock'
import { isMissing } from './known-folders'
import { halfIn, removeHalf, unmark } from './move/half-copy'
import { HERE, readPointer, writePointer, type Pointer } from './pointer'

/** The data has been moved to a folder that is not there, or in which there is nothing. */
export class DataFolderMissingError extends Error {
  override readonly name = 'DataFolderMissingError'

  constructor(readonly dir: string) {
    super(`The data folder ${dir} is missing. Connect its disk and start Slipway again.`)
  }
}

/** A folder that has held data before, and holds none; nothing has been moved. */
export class FolderEmptyError extends Error {
  override readonly name = 'FolderEmptyError'

  constructor(dir: string) {
    super(
      `The data folder ${dir} is empty, but it contained data before. Connect its disk and start Slipway again. If you emptied it yourself, start once with --start-empty.`,
    )
  }
}

/** Where the data is. */
export interface FoundData {
  /** The folder that was named, and that knows where the data has been moved. */
  homeDir: string
  dataDir: string
  /** How the last move ended, in words, told once; undefined: none has ended since the last start. */
  news: string | undefined
}

/**
 * Finds the data that once lay in `homeDir`, and clears up after a move that was interrupted. Answers `homeDir` itself
 * where nothing was ever moved. Throws DataFolderMissingError and FolderEmptyError: an empty library is never begun in place of one that is
 * somewhere else; and DataDirLockedError where another Slipway is moving it.
 */
export async function findData(homeDir: string): Promise<FoundData> {
  const pointer = await readPointer(homeDir)
  if (!pointer) {
    if ((await halfIn(homeDir)) !== undefined) throw new Error(`${homeDir} is an incomplete copy: delete it`)
    if (isMissing(homeDir)) throw new FolderEmptyError(homeDir)
    return { homeDir, dataDir: homeDir, news: undefined }
  }
  const dataDir = pointer.path ?? homeDir
  if (dataDir !== homeDir) {
    // An older folder may lead to one from which the data has been moved on since.
    if (await leadsOn(dataDir)) return { ...(await findData(dataDir)), homeDir }
    if (!(await holdsLibrary(dataDir))) throw new DataFolderMissingError(dataDir)
  }
  const news = pointer.moving ? await clearUp(pointer.moving, dataDir) : (pointer.news ?? undefined)
  if (news !== undefined) await writePointer(homeDir, { ...pointer, moving: null, news: null })
  await unmark(dataDir).catch(() => undefined)
  return { homeDir, dataDir, news }
}

/** The same for a host. Throws also where a backup lies there, which would be none any more. */
export async function findHostData(homeDir: string): Promise<FoundData> {
  if (await isBackup(homeDir))
    throw new Error(`${homeDir} is a backup. Restore it into a new folder, and start Slipway there.`)
  return findData(homeDir)
}

function ignoreAbsent(error: unknown): undefined {
  if (isAbsent(error)) return undefined
  throw error
}

async function leadsOn(dir: string): Promise<boolean> {
  const further = await readPointer(dir).catch(ignoreAbsent)
  return further !== undefined && further.path !== null
}

/** Takes away what an interrupted move has left. Answers what happened, in words. */
async function clearUp({ to, token }: NonNullable<Pointer['moving']>, dataDir: string): Promise<string> {
  // Whoever has the folder may be the one who is moving it.
  const lock = await lockDataDir(dataDir)
  const isGone = await removeHalf(to, token, dataDir).catch(() => false)
  await lock.release()
  const rest = isGone ? 'The incomplete copy was removed.' : `The incomplete copy may still be in ${to}.`
  return `Moving the data folder to ${to} was interrupted. Your data is still in ${dataDir}. ${rest}`
}

/** From now on the data that once lay in `homeDir` is looked for in `dataDir`. */
export async function pointTo(homeDir: string, dataDir: string): Promise<void> {
  const pointer = (await readPointer(homeDir)) ?? HERE
  await writePointer(homeDir, { ...pointer, path: dataDir === homeDir ? null : dataDir, moving: null })
}
