import { z } from 'zod'
import { line } from '../fields'
import { setting } from './setting'

/** The directory of Let's Encrypt (RFC 8555 §7.1.1). */
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'

const NO_NAME = 'Enter a name such as builds.example.org, without https:// and without a port'
const NO_DIRECTORY = 'Enter the https:// address of an ACME directory'
const NO_STUN = 'Enter a server and its port, such as stun.example.org:3478'
const NO_UPDATE = 'Enter an https:// address: it receives your password'
const NO_SERVER = 'Enter the name or the IP address of your server, without a user or a port'

/** A domain name of at least two labels (RFC 1035 §2.3.1); not an IP address. */
const DOMAIN =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

const port = (most = 'Choose a port up to 65535') =>
  z.int('Enter a number').min(1, 'Choose a port from 1').max(65535, most)

const isServer = (value: string) =>
  z.union([z.ipv4(), z.ipv6()]).safeParse(value).success ||
  DOMAIN.test(value) ||
  /^[a-z0-9-]{1,63}$/.test(value)

function isStun(value: string): boolean {
  const [, server = '', number = ''] = /^\[?(.+?)\]?:(\d{1,5})$/.exec(value) ?? []
  return isServer(server) && port().safeParse(Number(number)).success
}

/** HTTPS, or plain HTTP on this computer. */
function isSafe(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  )
}

const optional = (test: (value: string) => boolean, message: string) =>
  line(1000).refine((value) => value === '' || test(value), message)

/** Reaching this host from the internet. Empty texts: none. */
export const internetSettings = {
  internet_name: setting({
    schema: line(253)
      .toLowerCase()
      .refine((value) => value === '' || DOMAIN.test(value), NO_NAME),
    default: '',
    label: 'Name',
    help:
      'A domain name that leads to your address. Links with it keep working when the address ' +
      'changes.',
    placeholder: 'builds.example.org',
    switch: ['internet-name', 'NAME'],
  }),
  internet_port: setting({
    schema: port().refine(
      (value) => value === 443 || value >= 1024,
      'Choose 443, or a port from 1024 to 65535',
    ),
    default: 443,
    label: 'Port on the internet',
    help: '443 gives the shortest links. With another port, links end in that port.',
    switch: ['internet-port', 'N'],
  }),
  /** The certificate authority (RFC 8555). */
  acme_directory: setting({
    schema: line(1000).refine(
      (value) => URL.canParse(value) && new URL(value).protocol === 'https:',
      NO_DIRECTORY,
    ),
    default: LETS_ENCRYPT,
    label: 'Certificate authority',
    help: 'The ACME directory that issues the certificate.',
    switch: ['acme-directory', 'URL'],
  }),
  acme_email: setting({
    schema: optional(
      (value) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value),
      'Enter a valid email address',
    ),
    default: '',
    label: 'Email for the certificate authority',
    help: 'Leave empty to get no warnings from it.',
    switch: ['acme-email', 'ADDRESS'],
  }),
  /** RFC 8489. */
  stun_server: setting({
    schema: optional(isStun, NO_STUN),
    default: 'stun.cloudflare.com:3478',
    label: 'STUN server',
    help: 'Tells Slipway which address the internet sees. Leave empty to ask none.',
    switch: ['stun', 'SERVER:PORT'],
  }),
  /** Updates a name by dyndns2, or by calling an address with `{ip4}` and `{ip6}`. */
  name_update: setting({
    schema: z.enum(['off', 'dyndns2', 'address']),
    default: 'off',
    label: 'Update the name',
    help: 'Slipway tells your provider the new address when it changes.',
    options: { off: 'Off', dyndns2: 'dyndns2 (most providers)', address: 'Address to call' },
  }),
  name_update_url: setting({
    schema: optional(isSafe, NO_UPDATE),
    default: '',
    label: 'Address of the provider',
    help:
      'The server that takes dyndns2 updates, or the address to call, with {ip4} and {ip6} for ' +
      'the addresses.',
  }),
  name_update_user: setting({ schema: line(200), default: '', label: 'User' }),
  tunnel_server: setting({
    schema: line(253)
      .toLowerCase()
      .refine((value) => value === '' || isServer(value), NO_SERVER),
    default: '',
    label: 'Server',
    help: 'Your SSH server, which forwards visitors to this host.',
    placeholder: 'vps.example.org',
    switch: ['tunnel', 'USER@SERVER[:PORT]'],
  }),
  tunnel_port: setting({ schema: port(), default: 22, label: 'SSH port' }),
  tunnel_user: setting({
    schema: line(100).refine(
      (value) => /^(\w[\w.-]*)?$/.test(value),
      'Enter the user name on your server',
    ),
    default: '',
    label: 'User',
    help: 'The user on your server.',
    placeholder: 'slipway',
  }),
  tunnel_remote_port: setting({
    schema: port(),
    default: 8443,
    label: 'Port for visitors',
    help: 'With 443, people can sign in. Most servers reserve it for root.',
    switch: ['tunnel-remote-port', 'N'],
  }),
  tunnel_fingerprint: setting({
    schema: z
      .string()
      .regex(
        /^SHA256:[A-Za-z0-9+/]{43}$/,
        'Enter a fingerprint such as ssh-keygen -l shows: SHA256:…',
      )
      .nullable(),
    default: null,
    label: 'Fingerprint',
    help: 'The key of your server that you confirmed, as SHA256:…; null: not confirmed.',
    switch: ['tunnel-fingerprint', 'SHA256:…'],
  }),
}
