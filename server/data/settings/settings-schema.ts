import { z } from 'zod'
import { hostSettings } from '../../contract/host-settings/host-settings'
import { internetSettings } from '../../contract/host-settings/internet'
import { mailSettings } from '../../contract/host-settings/mail'
import { ssoSettings } from '../../contract/host-settings/single-sign-on'
import { storedSettings } from '../../contract/host-settings/setting'
import { bucketChoiceSchema } from '../../contract/host/bucket'

/** The bucket that sends copies of big public files. Its keys are in `secrets.json`. */
export const bucketSchema = bucketChoiceSchema
  .extend({
    /** `removing`: switched off, and its copies are being deleted. */
    use: z.enum(['on', 'removing', 'off']).default('on'),
  })
  .strict()

const perQuarter = z.int().min(1)

/** The settings that no call changes directly. */
const ownSettings = {
  /** `127.0.0.1` for this computer only, `0.0.0.0` for the network. */
  host: z.string().min(1).default('127.0.0.1'),
  /**
   * Failed sign-ins of one account from one address, per 15 minutes. (For IPv6 per /64:
   * `toNetwork`.)
   */
  failed_sign_ins_per_account: perQuarter.default(10),
  /**
   * Failed sign-ins of one account from anywhere, per 15 minutes; beyond that, attempts must wait.
   */
  failed_sign_ins_per_account_everywhere: perQuarter.default(20),
  failed_sign_ins_per_address: perQuarter.default(50),
  /** Registrations from one address, including rejected ones. (For IPv6 per /48.) */
  registrations_per_hour: z.int().min(1).default(30),
  /** Whether the owner was informed that closing the window keeps the host running. */
  told_of_tray: z.boolean().default(false),
  /** The way in from the internet that the host account opened last; a start opens it again. */
  internet_way: z.enum(['off', 'router', 'tunnel']).default('off'),
  /** Directory of the authority whose terms the host account accepted, or null. */
  terms_accepted: z.string().nullable().default(null),
  /** Opening closed the registration, so Stop opens it again, unless a person has done so. */
  reopens_registration: z.boolean().default(false),
  /** Downloads from a bucket; null: never set up. */
  mirror: bucketSchema.nullable().default(null),
}

/** The content of `settings.json`. Missing settings have their defaults. */
export const settingsSchema = z.strictObject({ ...storedSettings(hostSettings), ...ownSettings })

export type SettingsData = z.infer<typeof settingsSchema>
export type BucketSettings = z.infer<typeof bucketSchema>

/** The settings of reaching this host from the internet. */
export const internetNames = [
  'internet_way',
  'terms_accepted',
  'reopens_registration',
  ...(Object.keys(internetSettings) as (keyof typeof internetSettings)[]),
] as const
export type InternetSettings = Pick<SettingsData, (typeof internetNames)[number]>

/** The settings of the mail server. */
export const mailNames = Object.keys(mailSettings) as (keyof typeof mailSettings)[]

/** The settings of single sign-on. */
export const ssoNames = Object.keys(ssoSettings) as (keyof typeof ssoSettings)[]

/** The settings with these names. */
export const pickSettings = <All extends object, Name extends keyof All>(
  settings: Readonly<All>,
  names: readonly Name[],
): Pick<All, Name> =>
  Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<All, Name>
