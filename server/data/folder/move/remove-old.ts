import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { MOVED_DATA, readPointer, staysBehind, writePointer } from '../pointer'

/**
 * Hands the data folder of before to the trash of the system. In the folder that still tells where the data is, only the
 * data goes. Throws where there is none, and what the trash throws; nothing is lost then.
 */
export async function removeOld(homeDir: string, trash: (path: string) => Promise<void>): Promise<void> {
  const pointer = await readPointer(homeDir)
  if (!pointer || pointer.old === null) throw new Error('There is no old data folder')
  const old = pointer.old === homeDir ? await gather(homeDir) : pointer.old
  await writePointer(homeDir, { ...pointer, old })
  await trash(old)
  await writePointer(homeDir, { ...pointer, old: null })
}

/** Puts all data that lies in this folder into one folder. */
async function gather(homeDir: string): Promise<string> {
  const folder = join(homeDir, MOVED_DATA)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const names = (await readdir(homeDir)).filter((name) => !staysBehind(name))
  for (const name of names) await rename(join(homeDir, name), join(folder, name))
  return folder
}
