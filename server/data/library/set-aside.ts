import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDir } from '../../core/durable-file'

/** Moves files of a library into a folder within `dir`, which may have some of them after a crash. Resolves once durable. */
export async function setAside(dir: string, names: readonly string[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of names) await rename(join(dir, name), join(folder, name))
  await syncDir(folder)
  await syncDir(dir)
}
