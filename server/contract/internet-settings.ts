import { z } from 'zod'
import { line } from './fields'

/** The directory of Let's Encrypt (RFC 8555 §7.1.1). */
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'

const NO_NAME = 'Enter a name such as builds.example.org, without https:// and without a port'
const NO_DIRECTORY = 'Enter the https:// address of an ACME directory'
const NO_STUN = 'Enter a server and its port, such as stun.example.org:3478'
const NO_UPDATE = 'Enter an https:// address: it receives your password'
const NO_SERVER = 'Enter the name or the IP address of your server, without a user or a port'

/** A domain name of at least two labels (RFC 1035 §2.3.1); not an IP address. */
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

const port = (most = 'Choose a port up to 65535') =>
  z.int('Enter a number').min(1, 'Choose a port from 1').max(65535, most)

const isServer = (value: string) =>
  z.union([z.ipv4(), z.ipv6()]).safeParse(value).success || DOMAIN.test(value) || /^[a-z0-9-]{1,63}$/.test(value)

function isStun(value: string): boolean {
  const [, server = '', number = ''] = /^\[?(.+?)\]?:(\d{1,5})$/.exec(value) ?? []
  return isServer(server) && port().safeParse(Number(number)).success
}

/** HTTPS, or plain HTTP on this computer. */
function isSafe(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
}

const optional = (test: (value: string) => boolean, message: string) =>
  line(1000).refine((value) => value === '' || test(value), message)

/** The settings of reaching this host from the internet. Empty texts: none. */
export const internetFields = {
  /** A domain name that leads here; empty: links use the IP address. */
  internet_name: line(253)
    .toLowerCase()
    .refine((value) => value === '' || DOMAIN.test(value), NO_NAME),
  /** The port on the internet. */
  internet_port: port().refine((value) => value === 443 || value >= 1024, 'Choose 443, or a port from 1024 to 65535'),
  /** The certificate authority (RFC 8555). */
  acme_directory: line(1000).refine(
    (value) => URL.canParse(value) && new URL(value).protocol === 'https:',
    NO_DIRECTORY,
  ),
  /** Where the authority may write to; empty: none. */
  acme_email: optional((value) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value), 'Enter a valid email address'),
  /** Asked for the address that the internet sees (RFC 8489); empty: never. */
  stun_server: optional(isStun, NO_STUN),
  /** Keeps the name up to date: by the protocol dyndns2, or by calling an address with `{ip4}` and `{ip6}`. */
  name_update: z.enum(['off', 'dyndns2', 'address']),
  name_update_url: optional(isSafe, NO_UPDATE),
  name_update_user: line(200),
  /** A server with SSH that leads people here; empty: none. */
  tunnel_server: line(253)
    .toLowerCase()
    .refine((value) => value === '' || isServer(value), NO_SERVER),
  tunnel_port: port(),
  tunnel_user: line(100).refine((value) => /^(\w[\w.-]*)?$/.test(value), 'Enter the user name on your server'),
  /** The port of the server that people use. */
  tunnel_remote_port: port(),
  /** The confirmed key of the server; null: not confirmed. */
  tunnel_fingerprint: z
    .string()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'Enter a fingerprint such as ssh-keygen -l shows: SHA256:…')
    .nullable(),
}

/** The values at the first start. */
export const internetDefaults = {
  internet_name: '',
  internet_port: 443,
  acme_directory: LETS_ENCRYPT,
  acme_email: '',
  stun_server: 'stun.cloudflare.com:3478',
  name_update: 'off',
  name_update_url: '',
  name_update_user: '',
  tunnel_server: '',
  tunnel_port: 22,
  tunnel_user: '',
  tunnel_remote_port: 8443,
  tunnel_fingerprint: null,
} as const
