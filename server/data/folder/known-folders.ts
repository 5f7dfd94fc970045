import { existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { stateDir } from './default'
import { CATALOGUE, isBlobId, isShard } from '../blobs/blob-names'
import { errorCode, isAbsent } from '../../core/durable-file'
import { sha256Of } from '../../core/sha256'
import { POINTER } from './pointer'

function noteOf(dir: string): string {
  const path = resolve(dir)
  return join(stateDir(), 'data-folders', sha256Of(path, 'hex').slice(0, 32))
}

/**
 * Notes in the user's state folder that a data folder on another disk contains data, so that an
 * empty mount point is not used as a new folder when the disk is missing. Does nothing if the data
 * is on the disk of the home folder, or the account has none.
 */
export async function rememberFolder(dir: string): Promise<void> {
  const [there, home] = await Promise.all([stat(dir), stat(homedir()).catch(ignoreAbsent)])
  if (home === undefined || there.dev === home.dev) return
  const note = noteOf(dir)
  await mkdir(dirname(note), { recursive: true, mode: 0o700 })
  await writeFile(note, `${resolve(dir)}\n`, { flag: 'wx', mode: 0o600 }).catch(
    (error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    },
  )
}

const ignoreAbsent = (error: unknown) => {
  if (!isAbsent(error)) throw error
}

/** Allows the folder to be empty from now on. */
export function forgetFolder(dir: string): void {
  rmSync(noteOf(dir), { force: true })
}

/**
 * Whether a folder that contained data is empty, most likely because its disk is missing.
 * Synchronous.
 */
export function isMissing(dir: string): boolean {
  const isEmpty = () =>
    !listNames(dir).some((name) => name === POINTER || name.startsWith('library.'))
  return existsSync(noteOf(dir)) && isEmpty() && strandedFiles(dir) === undefined
}

/**
 * Number of stored files in a folder without its library, including those set aside. Returns
 * undefined if the folder never had a library. Synchronous, like `isMissing`.
 */
export function strandedFiles(dir: string): number | undefined {
  const top = listNames(join(dir, 'blobs')).filter((name) => name === CATALOGUE || isShard(name))
  const shards = top.filter(isShard).map((shard) => join(dir, 'blobs', shard))
  const blobIds = [...shards, join(dir, 'orphans')].flatMap(listNames).filter(isBlobId)
  return top.length + blobIds.length === 0 ? undefined : blobIds.length
}

function listNames(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}
