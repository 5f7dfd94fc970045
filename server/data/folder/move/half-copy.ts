import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../core/json'
import { errorCode, replaceFile } from '../../durable-file'
import { staysBehind } from '../pointer'

const NAME = 'moving.json'

const markSchema = z.object({ token: z.string() })

/** Marks a folder as a copy that is not whole, before the first file comes into it. */
export async function markHalf(dir: string, token: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await replaceFile(join(dir, NAME), `${JSON.stringify({ token })}\n`)
}

/** Which copy lies here half done; undefined: none does. */
export async function halfIn(dir: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(dir, NAME), 'utf8')
    return markSchema.safeParse(parseJson(text)).data?.token ?? ''
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}

/** The copy is whole, and counts. */
export async function unmark(dir: string): Promise<void> {
  await rm(join(dir, NAME), { force: true })
}

/**
 * Takes a half copy away: what carries a name that the folder it was made from has too. The mark goes last, so that a
 * crash here leaves what can be taken away later. False where that copy is not here.
 */
export async function removeHalf(dir: string, token: string, from: string): Promise<boolean> {
  if ((await halfIn(dir)) !== token) return false
  const names = (await readdir(from)).filter((name) => !staysBehind(name))
  for (const name of names) await rm(join(dir, name), { recursive: true, force: true })
  await unmark(dir)
  await rmdir(dir).catch(() => undefined)
  return true
}
