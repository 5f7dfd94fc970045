import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Disk } from '../../core/durable-file'
import { StoredFile } from '../stored-file'
import { Settings, storedSchema } from './settings'
import {
  internetNames,
  mailNames,
  pickSettings,
  settingsSchema,
  ssoNames,
  type InternetSettings,
  type BucketSettings,
  type SettingsData,
} from './settings-schema'

/** The settings that can lead elsewhere. */
const HELD = [
  ...([
    'public_url',
    'trusted_proxies',
    'webhook_networks',
    'npm_registry',
    'python_index',
    'update_feed',
    'mirror',
  ] as const),
  ...internetNames,
  ...mailNames,
  ...ssoNames,
] as const

/**
 * Settings of a backup that point elsewhere, the others at their defaults. They apply after a
 * person accepts them.
 */
export type RestoredData = Pick<SettingsData, (typeof HELD)[number]>

const heldSchema = storedSchema.transform((data): RestoredData => pickSettings(data, HELD))

/** The settings waiting for confirmation. A damaged file counts as none. */
export const openHeldSettings = (dir: string, disk?: Disk): StoredFile<RestoredData> =>
  new StoredFile(heldSchema, join(dir, 'restored-settings.json'), { onDamage: () => null, disk })

const defaults = (): RestoredData => pickSettings(settingsSchema.parse({}), HELD)

/** Moves these settings out of `settings.json` into a separate file. Returns them, or undefined. */
export async function holdBack(dir: string): Promise<RestoredData | undefined> {
  const settings = await Settings.open(dir)
  const held = pickSettings(settings.get(), HELD)
  if (isDeepStrictEqual(held, defaults())) return undefined
  await openHeldSettings(dir).write(held)
  await settings.update(defaults())
  return held
}

/** Names the servers and addresses in these settings; null: the usual ones. */
export function internetWords(held: InternetSettings): string | null {
  const usual = defaults()
  if (internetNames.every((name) => held[name] === usual[name])) return null

  const {
    internet_way: way,
    internet_name: name,
    acme_directory: directory,
    stun_server: stun,
  } = held

  const words = [
    way === 'off' ? '' : `shared by ${way}`,
    name === '' ? '' : `name ${name}`,
    directory === usual.acme_directory ? '' : `certificates from ${directory}`,
    stun === usual.stun_server ? '' : `STUN server ${stun === '' ? 'off' : stun}`,
    held.name_update_url === '' ? '' : `name updates at ${held.name_update_url}`,
    held.tunnel_server === '' ? '' : `tunnel through ${held.tunnel_server}`,
  ]

  return words.filter((word) => word !== '').join(', ') || 'other settings'
}

/** Names the bucket in these settings. */
export const bucketTexts = ({ bucket, endpoint }: BucketSettings): string =>
  `the bucket ${bucket} at ${endpoint}`

/** Names the mail server in these settings; null: none. */
export function mailWords(held: Pick<SettingsData, (typeof mailNames)[number]>): string | null {
  const usual = defaults()
  if (mailNames.every((name) => held[name] === usual[name])) return null
  return held.mail_server === '' ? 'other settings' : `${held.mail_server}, from ${held.mail_from}`
}

/** Names the provider of single sign-on in these settings; null: none. */
export const ssoWords = (held: Pick<SettingsData, 'sso_issuer'>): string | null =>
  held.sso_issuer === '' ? null : held.sso_issuer

/** Applies the held settings, or discards them. */
export async function settleHeld(
  { dataDir, disk, settings }: { dataDir: string; disk: Disk; settings: Settings },
  isAccepted: boolean,
): Promise<void> {
  const file = openHeldSettings(dataDir, disk)
  const held = await file.read()

  if (held && isAccepted) {
    const { mirror } = held

    const internet =
      internetWords(held) === null ? pickSettings(settings.get(), internetNames) : held
    await settings.update({
      ...held,
      ...internet,
      // A person opens it again, which names everything that becomes public.
      ...(internet === held && { internet_way: 'off', terms_accepted: null }),
      // A mail server that a person has set up since then keeps its password to itself.
      ...(settings.get().mail_server !== '' && pickSettings(settings.get(), mailNames)),
      // So does a provider of single sign-on.
      ...(settings.get().sso_issuer !== '' && pickSettings(settings.get(), ssoNames)),
      // A bucket that a person has set up since then keeps its place, because its keys must not go
      // elsewhere.
      mirror:
        settings.get().mirror ?? (mirror?.use === 'removing' ? { ...mirror, use: 'off' } : mirror),
    })
  }

  await file.remove()
}
