import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../core/json'
import { errorCode, replaceFile, syncDir } from '../durable-file'
import { Settings } from './settings'
import { settingsSchema } from './settings-schema'

const restoredSchema = z.object({
  publicUrl: settingsSchema.shape.publicUrl,
  trustedProxies: settingsSchema.shape.trustedProxies,
  updateFeed: z.string().nullable(),
})

/** Settings of a backup that point elsewhere. They apply after a person accepts them. */
export type RestoredData = z.infer<typeof restoredSchema>

const pathIn = (dir: string) => join(dir, 'restored-settings.json')

/** Moves these settings out of `settings.json` into a separate file. Returns them; undefined: none. */
export async function holdBack(dir: string): Promise<RestoredData | undefined> {
  const settings = await Settings.open(dir)
  const { publicUrl, trustedProxies, desktop } = settings.get()
  const { updateFeed } = desktop
  if (publicUrl === null && trustedProxies.length === 0 && updateFeed === null) return undefined
  const held = { publicUrl, trustedProxies, updateFeed }
  await replaceFile(pathIn(dir), `${JSON.stringify(held, null, 2)}\n`)
  await settings.update({ publicUrl: null, trustedProxies: [], desktop: { ...desktop, updateFeed: null } })
  return held
}

/** The settings waiting for confirmation; undefined: none, or the file is damaged. */
export async function readHeld(dir: string): Promise<RestoredData | undefined> {
  const text = await readFile(pathIn(dir), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : restoredSchema.safeParse(parseJson(text)).data
}

/** Applies the held settings, or discards them. */
export async function settleHeld(dir: string, settings: Settings, isAccepted: boolean): Promise<void> {
  const held = await readHeld(dir)
  if (held && isAccepted) {
    const { publicUrl, trustedProxies, updateFeed } = held
    await settings.update({ publicUrl, trustedProxies, desktop: { ...settings.get().desktop, updateFeed } })
  }
  await rm(pathIn(dir), { force: true })
  await syncDir(dir)
}
