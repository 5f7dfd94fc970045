import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../core/json'
import { errorCode, replaceFile } from '../../../core/durable-file'
import { staysBehind } from '../pointer'

const NAME = 'moving.json'

const markSchema = z.object({ token: z.string() })

/** Marks a folder as a partial copy, before the first file is copied. */
export async function markHalf(dir: string, token: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await replaceFile(join(dir, NAME), `${JSON.stringify({ token })}\n`)
}

/** The token of the partial copy in this folder, or undefined if there is none. */
export async function halfIn(dir: string): Promise<string | undefined> {
  try {
    const text = await readFile(join(dir, NAME), 'utf8')
    return markSchema.safeParse(parseJson(text)).data?.token ?? ''
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}

/** Removes the mark: the copy is complete. */
export async function unmark(dir: string): Promise<void> {
  await rm(join(dir, NAME), { force: true })
}

/**
 * Removes a partial copy: every name that its source folder also has. The mark goes last, so that cleanup can be
 * retried after a crash. Returns false if that copy is not here.
 */
export async function removeHalf(dir: string, token: string, from: string): Promise<boolean> {
  if ((await halfIn(dir)) !== token) return false
  const names = (await readdir(from)).filter((name) => !staysBehind(name))
  for (const name of names) await rm(join(dir, name), { recursive: true, force: true })
  await unmark(dir)
  await rmdir(dir).catch(() => undefined)
  return true
}
