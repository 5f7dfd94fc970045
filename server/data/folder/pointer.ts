import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errorCode, replaceFile } from '../../core/durable-file'

/** The file in a folder that points to its data. */
export const POINTER = 'data-folder.json'

const pointerSchema = z.strictObject({
  /** The data folder; null: the folder of this file. */
  path: z.string().min(1).nullable(),
  /** A running copy. It does not count until `path` names it. */
  moving: z.strictObject({ to: z.string().min(1), token: z.string().min(1) }).nullable(),
  /** The previous data folder, kept until the owner deletes it. */
  old: z.string().min(1).nullable(),
  /** How the last move ended, in words, reported at the next start. */
  news: z.string().nullable(),
})

export type Pointer = z.infer<typeof pointerSchema>

/** The data has not been moved. */
export const HERE: Pointer = { path: null, moving: null, old: null, news: null }

/** Undefined if there is no pointer. Throws with a readable message if it cannot be read. */
export async function readPointer(home: string): Promise<Pointer | undefined> {
  const file = join(home, POINTER)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    return pointerSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(`${file} is damaged. It names the data folder: write the folder into it as "path".`, { cause })
  }
}

/** Replaces the pointer atomically. */
export async function writePointer(home: string, pointer: Pointer): Promise<void> {
  await replaceFile(join(home, POINTER), `${JSON.stringify(pointer, null, 2)}\n`)
}

/** Collects the old data on its way to the trash. */
export const MOVED_DATA = 'moved-data'

const OWN =
  /^(data-folder\.json(\.tmp)?|moving\.json(\.tmp)?|moving\.[0-9a-f]+\.probe|window|moved-data|admin\.json(\.tmp)?|slipway\.(\d+\.)?lock)$/

/** Whether this name belongs to the folder itself and not to the data, so a move leaves it. */
export const staysBehind = (name: string): boolean => OWN.test(name)
