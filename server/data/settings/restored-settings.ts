import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../core/json'
import { errorCode, replaceFile, syncDir } from '../durable-file'
import { Settings } from './settings'
import {
  internetSchema,
  mirrorSchema,
  settingsSchema,
  type InternetSettings,
  type MirrorSettings,
} from './settings-schema'

const restoredSchema = z.object({
  publicUrl: settingsSchema.shape.publicUrl,
  trustedProxies: settingsSchema.shape.trustedProxies,
  updateFeed: z.string().nullable(),
  internet: internetSchema.nullable().default(null),
  mirror: mirrorSchema.nullable().default(null),
})

/** Settings of a backup that point elsewhere. They apply after a person accepts them. */
export type RestoredData = z.infer<typeof restoredSchema>

const pathIn = (dir: string) => join(dir, 'restored-settings.json')

/** Moves these settings out of `settings.json` into a separate file. Returns them; undefined: none. */
export async function holdBack(dir: string): Promise<RestoredData | undefined> {
  const settings = await Settings.open(dir)
  const { publicUrl, trustedProxies, desktop, mirror } = settings.get()
  const { updateFeed } = desktop
  const internet = isUsual(settings.get().internet) ? null : settings.get().internet
  const held = { publicUrl, trustedProxies, updateFeed, internet, mirror }
  if (trustedProxies.length === 0 && [publicUrl, updateFeed, internet, mirror].every((it) => it === null))
    return undefined
  await replaceFile(pathIn(dir), `${JSON.stringify(held, null, 2)}\n`)
  await settings.update({
    publicUrl: null,
    trustedProxies: [],
    desktop: { ...desktop, updateFeed: null },
    internet: internetSchema.parse({}),
    mirror: null,
  })
  return held
}

const isUsual = (internet: InternetSettings) => JSON.stringify(internet) === JSON.stringify(internetSchema.parse({}))

/** Names the servers and addresses in these settings. */
export function internetWords({ way, name, acmeDirectory, stunServer, nameUpdate, tunnel }: InternetSettings): string {
  const usual = internetSchema.parse({})
  const words = [
    way === 'off' ? '' : `shared by ${way}`,
    name === '' ? '' : `name ${name}`,
    acmeDirectory === usual.acmeDirectory ? '' : `certificates from ${acmeDirectory}`,
    stunServer === usual.stunServer ? '' : `STUN server ${stunServer === '' ? 'off' : stunServer}`,
    nameUpdate.url === '' ? '' : `name updates at ${nameUpdate.url}`,
    tunnel.server === '' ? '' : `tunnel through ${tunnel.server}`,
  ]
  return words.filter((word) => word !== '').join(', ') || 'other settings'
}

/** Names the bucket in these settings. */
export const mirrorWords = ({ bucket, endpoint }: MirrorSettings): string => `the bucket ${bucket} at ${endpoint}`

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
    const { publicUrl, trustedProxies, updateFeed, internet, mirror } = held
    await settings.update({
      publicUrl,
      trustedProxies,
      desktop: { ...settings.get().desktop, updateFeed },
      // A person opens it again, which names everything that becomes public.
      internet: internet === null ? settings.get().internet : { ...internet, way: 'off', termsAccepted: null },
      // A bucket that a person has set up since then keeps its place, because its keys must not go elsewhere.
      mirror: settings.get().mirror ?? (mirror?.use === 'removing' ? { ...mirror, use: 'off' } : mirror),
    })
  }
  await rm(pathIn(dir), { force: true })
  await syncDir(dir)
}
