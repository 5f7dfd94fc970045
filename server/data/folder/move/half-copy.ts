import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { makeFolders } from '../../../core/durable-file'
import { StoredFile } from '../../stored-file'
import { staysBehind } from '../pointer'

const tokenSchema = z.object({ token: z.string() })

/** The file that marks a folder as a partial copy, even if it is damaged. */
export const copyMarkIn = (dir: string): StoredFile<{ token: string }> =>
  new StoredFile(tokenSchema, join(dir, 'moving.json'), { onDamage: () => ({ token: '' }) })

/** Marks a folder as a partial copy, before the first file is copied. */
export async function markHalf(dir: string, token: string): Promise<void> {
  await makeFolders(dir)
  await copyMarkIn(dir).write({ token })
}

/**
 * Removes a partial copy: every name that its source folder also has. The mark goes last, so that
 * cleanup can be retried after a crash. Returns false if that copy is not here.
 */
export async function removeHalf(dir: string, token: string, from: string): Promise<boolean> {
  const mark = copyMarkIn(dir)
  if ((await mark.read())?.token !== token) return false
  const names = (await readdir(from)).filter((name) => !staysBehind(name))
  for (const name of names) await rm(join(dir, name), { recursive: true, force: true })
  await mark.remove()
  await rmdir(dir).catch(() => undefined)
  return true
}
