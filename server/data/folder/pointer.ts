import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errorCode, replaceFile } from '../durable-file'

/** The file in a folder that says where its data is. */
export const POINTER = 'data-folder.json'

const pointerSchema = z.strictObject({
  /** Where the data lies; null: in the folder of this file. */
  path: z.string().min(1).nullable(),
  /** A copy that is being made. Until `path` names it, it counts for nothing. */
  moving: z.strictObject({ to: z.string().min(1), token: z.string().min(1) }).nullable(),
  /** Where the data lay before; kept until the person deletes it. */
  old: z.string().min(1).nullable(),
  /** How the last move ended, in words, for the next start to tell. */
  news: z.string().nullable(),
})

/** What a folder says of where the data is that once lay in it. */
export type Pointer = z.infer<typeof pointerSchema>

/** The data lies here, and always has. */
export const HERE: Pointer = { path: null, moving: null, old: null, news: null }

/** Undefined where the folder says nothing. Throws, with a sentence for people, where that cannot be read: nobody guesses. */
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

/** Replaces what the folder says; afterwards it holds the old words or the new ones. */
export async function writePointer(home: string, pointer: Pointer): Promise<void> {
  await replaceFile(join(home, POINTER), `${JSON.stringify(pointer, null, 2)}\n`)
}

/** In a folder from which the data has moved, all of the old data, on its way to the trash. */
export const MOVED_DATA = 'moved-data'

const OWN =
  /^(data-folder\.json(\.tmp)?|moving\.json(\.tmp)?|moving\.[0-9a-f]+\.probe|window|moved-data|admin\.json(\.tmp)?|slipway\.(\d+\.)?lock)$/

/** Whether this name, directly in a data folder, belongs to the place and not to the data. */
export const staysBehind = (name: string): boolean => OWN.test(name)
