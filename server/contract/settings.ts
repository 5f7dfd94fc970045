import { z } from 'zod'
import { endpoint } from './endpoint'
import { line } from './fields'
import { internetFields } from './internet-settings'
import { tiers } from './limits'

const perHour = (what: string) => z.int(`${what}: a whole number`).min(1, `${what}: at least 1`).max(1_000_000)

const perAccount = z.int('Enter a whole number').min(1, 'At least 1').max(1_000_000, 'At most 1,000,000')

/** Bytes per second in each direction; null: no limit. */
const rate = z
  .int('Enter a number')
  .min(1024, 'At least 0.001 MB/s')
  .max(1e12, 'Leave it empty for no limit')
  .nullable()

const NO_ORIGIN = 'Enter an address such as https://builds.example, without a path'

/** URL without a path: `https://builds.example`. */
const origin = z
  .string()
  .trim()
  .regex(/^https?:\/\/[^\s/?#@]+\/?$/i, NO_ORIGIN)
  .refine((url) => URL.canParse(url), NO_ORIGIN)
  .overwrite((url) => (URL.canParse(url) ? new URL(url).origin : url))

/** IPv4 or IPv6 address or CIDR network: `10.0.0.0/8`. */
export const proxySchema = z
  .string()
  .trim()
  .refine((value) => isNetwork(value), 'Enter IP addresses or networks, such as 10.0.0.2 or 10.0.0.0/8')

function isNetwork(value: string): boolean {
  return z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).safeParse(value).success
}

const NO_FEED = 'Enter an https:// address: over http://, an attacker could replace the program'

/** URL of the update feed: HTTPS or this computer only, so that the program cannot be swapped in transit. */
export const feedSchema = z
  .string()
  .trim()
  .max(1000)
  .refine((url) => URL.canParse(url) && isSafeFeed(new URL(url)), NO_FEED)

function isSafeFeed({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
}

export const hostSettingsSchema = z.object({
  /** Name of this host in its network; empty: the computer's name. */
  host_name: line(40),
  port: z.int('Enter a number').min(1024, 'Choose a port from 1024 to 65535').max(65535, 'Choose a port up to 65535'),
  /** Shared with the network; false: this computer only. */
  sharing: z.boolean(),
  /** Addresses of this machine to share; empty: all. */
  shared_addresses: z.array(z.union([z.ipv4(), z.ipv6()], 'Enter IP addresses of this computer')).max(50),
  /** URL for other devices, where it differs from the host's address; null: none. */
  public_url: origin.nullable(),
  registration_open: z.boolean(),
  default_tier: z.enum(tiers),
  uploads_per_hour: perHour('Uploads'),
  requests_per_hour: perHour('Requests'),
  bytes_per_second_per_transfer: rate,
  /** A visitor is an account, else an address and a browser. */
  bytes_per_second_per_visitor: rate,
  bytes_per_second_in_all: rate,
  transfers_per_address: z.int('Enter a whole number').min(1, 'At least 1').max(100_000, 'At most 100,000'),
  /** Open connections per address; a browser opens up to six. */
  connections_per_address: z.int('Enter a whole number').min(8, 'At least 8').max(100_000, 'At most 100,000'),
  projects_per_account: perAccount,
  posts_per_account: perAccount,
  api_keys_per_account: perAccount,
  /** One more sign-in ends the oldest session. */
  sessions_per_account: perAccount,
  unfinished_uploads_per_account: perAccount,
  trusted_proxies: z.array(proxySchema).max(20, 'At most 20 proxies'),
  /**
   * `local`: certificate made by this host. `public`: also the one of reaching it from the internet, for its name or
   * address. `own`: certificate from the files below.
   */
  https: z.enum(['off', 'local', 'public', 'own']),
  /** Absolute path of a PEM file; empty: none. */
  https_certificate: line(1000),
  https_key: line(1000),
  https_redirect: z.boolean(),
  notify_downloads: z.boolean(),
  /** The app notifies of collaborators' changes to the host account's projects. */
  notify_collaborators: z.boolean(),
  /** The app notifies of builds from watched folders. */
  notify_builds: z.boolean(),
  /** The app notifies of failures. */
  notify_failures: z.boolean(),
  start_at_login: z.boolean(),
  /** Starts without a window. */
  start_hidden: z.boolean(),
  /** Theme of the app window; browsers use their system's. */
  theme: z.enum(['system', 'light', 'dark']),
  /** Where the app checks for updates; null: off. */
  update_feed: feedSchema.nullable(),
  ...internetFields,
})
export type HostSettings = z.infer<typeof hostSettingsSchema>

const authoritySchema = z.object({ url: z.url(), fingerprint: z.string() }).nullable()
export type HttpsAuthority = z.infer<typeof authoritySchema>

const machineAddressSchema = z.object({ address: z.string(), kind: z.enum(['wifi', 'network', 'vpn', 'virtual']) })
export type MachineAddress = z.infer<typeof machineAddressSchema>

/** Settings of a restored backup that need approval: they point to another place. */
const restoredSchema = z.object({
  public_url: z.string().nullable(),
  trusted_proxies: z.array(z.string()),
  update_feed: z.string().nullable(),
  /** Servers that reaching this host from the internet would use, in words; null: the usual ones. */
  internet: z.string().nullable(),
  /** The bucket that downloads would come from, in words; null: none. */
  mirror: z.string().nullable(),
})
export type RestoredSettings = z.infer<typeof restoredSchema>

const reply = z.object({
  settings: hostSettingsSchema.extend({
    port: z.int(),
    /** Whether the host has a password for updating its name. It never leaves the host. */
    name_update_password_set: z.boolean(),
    /** Why the last update of the name failed, in the words of its provider; null: it did not. */
    name_update_problem: z.string().nullable(),
  }),
  /** Set by the command line; a change applies at the next start without the option. */
  overridden: z.array(hostSettingsSchema.keyof()),
  /** The authority that devices must trust, if the host makes its certificates: page URL and SHA-256 fingerprint. */
  authority: authoritySchema,
  /** Choices for `shared_addresses`, best first. */
  machine_addresses: z.array(machineAddressSchema),
  /** Settings of a restored backup that wait for approval; null: none. */
  restored: restoredSchema.nullable(),
})

export const settings = {
  show: endpoint({
    method: 'GET',
    path: '/api/host/settings',
    summary: 'The settings of this host',
    access: 'host',
    input: z.object({}),
    reply,
    errors: [],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/host/settings',
    summary: 'Change the settings of this host; omitted fields keep their value, and changes apply immediately',
    access: 'host',
    input: hostSettingsSchema.partial().extend({
      /** For updating the name; null removes it. */
      name_update_password: z.string('Enter the password').min(1, 'Enter the password').max(200).nullable().optional(),
    }),
    reply,
    errors: ['taken'],
  }),
  settleRestored: endpoint({
    method: 'POST',
    path: '/api/host/settings/restored',
    summary: 'Accept or discard the pending settings of a restored backup',
    access: 'host',
    input: z.object({ accept: z.boolean('Use true or false') }),
    reply,
    errors: [],
  }),
}
