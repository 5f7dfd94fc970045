import { join } from 'node:path'
import { z } from 'zod'
import { StoredFile } from '../stored-file'

/** The file in a folder that points to its data. */
export const POINTER = 'data-folder.json'

const pointerSchema = z.strictObject({
  /** The data folder; null: the folder of this file. */
  path: z.string().min(1).nullable(),
  /** A running copy. It does not count until `path` names it. */
  moving: z.strictObject({ to: z.string().min(1), token: z.string().min(1) }).nullable(),
  /** The previous data folder, kept until the owner deletes it. */
  old: z.string().min(1).nullable(),
  /** Result of the last move, as text, reported at the next start. */
  news: z.string().nullable(),
})

export type Pointer = z.infer<typeof pointerSchema>

/** The data has not been moved. */
export const HERE: Pointer = { path: null, moving: null, old: null, news: null }

/** The file in `home` that points to its data. */
export const pointerIn = (home: string): StoredFile<Pointer> =>
  new StoredFile(pointerSchema, join(home, POINTER), {
    onDamage: 'It names the data folder: write the folder into it as "path".',
  })

/** Collects the old data on its way to the trash. */
export const MOVED_DATA = 'moved-data'

const OWN = new RegExp(
  `^(${[
    String.raw`(data-folder|moving|admin)\.json(\.tmp)?`,
    String.raw`moving\.[0-9a-f]+\.probe`,
    'window',
    'moved-data',
    String.raw`slipway\.(\d+\.)?lock`,
  ].join('|')})$`,
)

/** Whether this name belongs to the folder itself and not to the data, so a move leaves it. */
export const staysBehind = (name: string): boolean => OWN.test(name)
