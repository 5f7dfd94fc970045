import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { MOVED_DATA, pointerIn, staysBehind } from '../pointer'

/**
 * Moves the old data folder to the system's trash. In the home folder, which points to the data, only the data goes.
 * Throws if there is no old folder, and errors of the trash; no data is lost then.
 */
export async function removeOld(homeDir: string, trash: (path: string) => Promise<void>): Promise<void> {
  const file = pointerIn(homeDir)
  const pointer = await file.read()
  if (!pointer || pointer.old === null) throw new Error('There is no old data folder')
  const old = pointer.old === homeDir ? await gather(homeDir) : pointer.old
  await file.write({ ...pointer, old })
  await trash(old)
  await file.write({ ...pointer, old: null })
}

async function gather(homeDir: string): Promise<string> {
  const folder = join(homeDir, MOVED_DATA)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = (await readdir(homeDir)).filter((name) => !staysBehind(name))
  for (const name of names) await rename(join(homeDir, name), join(folder, name))
  return folder
}
