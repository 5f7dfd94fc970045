import { mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { renameFolder, unlessMissing } from '../../../core/durable-file'
import { MOVED_DATA, pointerIn, staysBehind } from '../pointer'

/**
 * Moves the old data folder to the system's trash. In the home folder, which has the pointer, moves
 * only the data. If the folder no longer exists, only forgets it. Throws if there is no old folder,
 * or if the trash fails, without losing data.
 */
export async function removeOld(
  homeDir: string,
  trash: (path: string) => Promise<void>,
): Promise<void> {
  const named = (await pointerIn(homeDir).read())?.old ?? null
  if (named === null) throw new Error('There is no old data folder')
  const old = named === homeDir ? await gather(homeDir) : named
  await renameOld(homeDir, named, old)
  if (!(await isGone(old))) await trash(old)
  await renameOld(homeDir, old, null)
}

/**
 * Whether a folder was deleted. If its parent is empty too, the parent may be the mount point of a
 * missing disk.
 */
export async function isGone(path: string): Promise<boolean> {
  if ((await unlessMissing(stat(path))) !== undefined) return false
  return ((await unlessMissing(readdir(dirname(path)))) ?? []).length > 0
}

/** Reads the file again: a move may have begun since. */
async function renameOld(homeDir: string, before: string, old: string | null): Promise<void> {
  const file = pointerIn(homeDir)
  const pointer = await file.read()
  if (pointer?.old === before) await file.write({ ...pointer, old })
}

async function gather(homeDir: string): Promise<string> {
  const folder = join(homeDir, MOVED_DATA)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = (await readdir(homeDir)).filter((name) => !staysBehind(name))
  for (const name of names) await renameFolder(join(homeDir, name), join(folder, name))
  return folder
}
