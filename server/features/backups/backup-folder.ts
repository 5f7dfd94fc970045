import { randomBytes } from 'node:crypto'
import { realpath, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isInside } from '../../data/backup/places'
import { AppError } from '../../core/errors'
import { newestBackup } from '../../data/backup/backup'
import { errorCode } from '../../core/durable-file'

/** Returns the real path of a folder for backups. Throws `invalid_input` for an unsuitable one. */
export async function acceptFolder(chosen: string, dataDir: string): Promise<string> {
  const folder = await realpath(chosen).catch(() => refuse(`The folder ${chosen} does not exist.`))
  if (!(await stat(folder)).isDirectory()) refuse(`${folder} is not a folder.`)
  const data = await realpath(dataDir)
  if (folder === data || isInside(folder, data)) refuse('Choose a folder outside the data folder.')
  // An unguessable new name: another user may have put a link there.
  const probe = join(folder, `.slipway-${randomBytes(8).toString('hex')}.probe`)
  await writeFile(probe, '', { flag: 'wx', mode: 0o600 }).catch(() =>
    refuse(`Slipway cannot write to ${folder}. Choose another folder.`),
  )
  await rm(probe, { force: true })
  return folder
}

/**
 * Throws a user-facing error when the folder or its disk is missing, so that nothing is written.
 */
export async function requireConnected(folder: string, isUsed: boolean): Promise<void> {
  const gone = `The disk of your backups is not connected: ${folder}`
  const newest = await newestBackup(folder).catch((error: unknown) => {
    throw new Error(`${gone}. Connect it, or choose another folder.`, { cause: error })
  })
  // An empty mount point looks like a folder, but is on another disk.
  if (isUsed && newest === undefined)
    throw new Error(`${gone} is empty. If you emptied it yourself, choose it again.`)
}

/** Whether both folders are on one disk; false if unknown. */
export async function onSameDisk(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => stat(path).catch(() => undefined)))
  return one !== undefined && one.dev === other?.dev
}

/** Describes a backup failure to the owner. */
export async function failureText(error: unknown, folder: string): Promise<string> {
  const code = errorCode(error) ?? ''
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return (
      `The disk of your backups is full: ${await describeFreeSpace(folder)}. ` +
      'Free some space on it, or choose another folder.'
    )
  if (['EIO', 'ENXIO', 'ENODEV', 'ESTALE'].includes(code))
    return `The disk of your backups is not responding (${code}).`
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return `Slipway cannot write to ${folder}.`
  return error instanceof Error ? error.message : String(error)
}

/** Describes the problems of a backup, or null if there is none. */
export function problemsText(problems: readonly string[]): string | null {
  const [first] = problems
  if (first === undefined) return null
  const more = problems.length === 1 ? '' : `, and ${problems.length - 1} more`
  return (
    `The backup was made, but some of your data is damaged: ${first}${more}. ` +
    'Earlier backups are kept and may still contain it.'
  )
}

async function describeFreeSpace(folder: string): Promise<string> {
  const stats = await statfs(folder).catch(() => undefined)
  return stats
    ? `${Math.floor((stats.bavail * stats.bsize) / 1024 / 1024)} MB are free in ${folder}`
    : folder
}

function refuse(why: string): never {
  throw new AppError('invalid_input', why, 'folder')
}
