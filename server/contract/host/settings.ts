import { z } from 'zod'
import { endpoint } from '../endpoint'
import { mailAddress } from '../fields'
import { hostSettingsSchema } from '../host-settings/host-settings'

const authoritySchema = z.object({ url: z.url(), fingerprint: z.string() }).nullable()
export type HttpsAuthority = z.infer<typeof authoritySchema>

const machineAddressSchema = z.object({
  address: z.string(),
  kind: z.enum(['wifi', 'network', 'vpn', 'virtual']),
})
export type MachineAddress = z.infer<typeof machineAddressSchema>

/** Settings of a restored backup that need approval: they point to another place. */
const restoredSchema = z.object({
  public_url: z.string().nullable(),
  trusted_proxies: z.array(z.string()),
  webhook_networks: z.array(z.string()),
  npm_registry: z.string(),
  python_index: z.string(),
  update_feed: z.string().nullable(),
  /** The mail server, as text, or null. */
  mail: z.string().nullable(),
  /** The provider of single sign-on, or null. */
  single_sign_on: z.string().nullable(),
  /** Servers that access from the internet would use, as text. Null for the defaults. */
  internet: z.string().nullable(),
  /** The bucket that downloads would come from, as text, or null. */
  mirror: z.string().nullable(),
})
export type RestoredSettings = z.infer<typeof restoredSchema>

/**
 * `damaged`: nothing is signed. `lost`: the keys that clients trust are missing, and clients refuse
 * other signatures.
 */
const releaseKeysState = z.enum(['good', 'damaged', 'lost'])
export type ReleaseKeysState = z.infer<typeof releaseKeysState>

const reply = z.object({
  settings: hostSettingsSchema.extend({
    port: z.int(),
    /** Whether the host has a password for updating its name. It never leaves the host. */
    name_update_password_set: z.boolean(),
    /** Error of the last name update, in the provider's words. Null if it succeeded. */
    name_update_problem: z.string().nullable(),
    /** Whether the host has a password for its mail server. It never leaves the host. */
    mail_password_set: z.boolean(),
    /** Why the last mail was not handed over; null: it was. */
    mail_problem: z.string().nullable(),
    /** Mails since the start that were given up. */
    mails_dropped: z.int().nonnegative(),
    /** Whether the host has a client secret for single sign-on. It never leaves the host. */
    sso_client_secret_set: z.boolean(),
    /** What the provider must know of this host; null: it has no public address over HTTPS. */
    sso_addresses: z.object({ redirect: z.url(), logout: z.url() }).nullable(),
  }),
  /** Set by the command line; a change applies at the next start without the option. */
  overridden: z.array(hostSettingsSchema.keyof()),
  /**
   * The authority that devices must trust, if the host makes its certificates: page URL and SHA-256
   * fingerprint.
   */
  authority: authoritySchema,
  /** Choices for `shared_addresses`, best first. */
  machine_addresses: z.array(machineAddressSchema),
  /** Settings of a restored backup that wait for approval, or null if there are none. */
  restored: restoredSchema.nullable(),
  /** State of the keys that sign repositories for package managers. */
  release_keys: releaseKeysState,
})

export const settings = {
  show: endpoint('GET', '/api/host/settings', {
    summary: 'The settings of this host',
    access: 'host',
    input: z.object({}),
    reply,
  }),
  change: endpoint('PUT', '/api/host/settings', {
    summary:
      'Change the settings of this host; omitted fields keep their value, and changes apply ' +
      'immediately',
    access: 'host',
    asksAgain: 'with_factor',
    input: hostSettingsSchema.partial().extend({
      /** Password for name updates; null removes it. */
      name_update_password: z
        .string('Enter the password')
        .min(1, 'Enter the password')
        .max(200)
        .nullable()
        .optional()
        .meta({
          description:
            'The password at the provider of the name; no reply contains it, and null removes it',
          examples: ['correct horse battery'],
        }),
      mail_password: z
        .string('Enter the password')
        .min(1, 'Enter the password')
        .max(500)
        .nullable()
        .optional()
        .meta({
          description:
            'The password at the mail server; no reply contains it, and null removes it. A new ' +
            'server needs it again',
          examples: ['correct horse battery'],
        }),
      sso_client_secret: z
        .string('Enter the client secret')
        .min(1, 'Enter the client secret')
        .max(1000)
        .nullable()
        .optional()
        .meta({
          description:
            'The client secret at the provider of single sign-on; no reply contains it, and null ' +
            'removes it. A new issuer needs it again',
          examples: ['correct horse battery'],
        }),
    }),
    reply,
    errors: ['taken'],
  }),
  testMail: endpoint('POST', '/api/host/settings/mail-test', {
    summary: 'Send a test message by the mail server of this host',
    access: 'host',
    input: z.object({ email: mailAddress }),
    reply: z.object({
      /** Why the server did not take it, in its words; null: it took it. */
      problem: z.string().nullable(),
    }),
    errors: ['too_many_requests'],
  }),
  testSso: endpoint('POST', '/api/host/settings/sso-test', {
    summary: 'Check whether the provider of single sign-on answers as this host needs it',
    access: 'host',
    input: z.object({}),
    reply: z.object({
      /** What is wrong, and what to do; null: nothing. */
      problem: z.string().nullable(),
      /** What the provider lacks, and what that means for people; null: nothing. */
      note: z.string().nullable(),
    }),
    errors: ['too_many_requests'],
  }),
  settleRestored: endpoint('POST', '/api/host/settings/restored', {
    summary: 'Accept or discard the pending settings of a restored backup',
    access: 'host',
    asksAgain: 'with_factor',
    input: z.object({
      accept: z
        .boolean('Use true or false')
        .describe('Whether to apply the settings; otherwise they are discarded'),
    }),
    reply,
  }),
  keepNewKeys: endpoint('POST', '/api/host/settings/release-keys', {
    summary: 'Sign repositories with new keys from now on, because the earlier ones are lost',
    access: 'host',
    asksAgain: 'with_factor',
    input: z.object({}),
    reply,
  }),
}
