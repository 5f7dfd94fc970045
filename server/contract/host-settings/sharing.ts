import { z } from 'zod'
import { line } from '../fields'
import { setting } from './setting'

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
  .refine(
    (value) => isNetwork(value),
    'Enter IP addresses or networks, such as 10.0.0.2 or 10.0.0.0/8',
  )

function isNetwork(value: string): boolean {
  return z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).safeParse(value).success
}

const NO_REGISTRY = 'Enter an https:// address without a user, a question mark or a #'

/**
 * The address of a registry without a slash at its end: HTTPS, or plain HTTP on this computer;
 * empty: none.
 */
const registry = line(1000)
  .refine((value) => value === '' || isRegistry(value), NO_REGISTRY)
  .overwrite((value) => value.replace(/\/+$/, ''))

function isRegistry(value: string): boolean {
  const url = URL.parse(value)
  if (!url || url.username !== '' || /[?#\s]/.test(value)) return false
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))
  )
}

const ipAddress = z.union([z.ipv4(), z.ipv6()], 'Enter IP addresses of this computer')

/** Addresses and ports of this host. */
export const sharingSettings = {
  host_name: setting({
    schema: line(40),
    default: '',
    label: 'Name',
    help: "How this host appears on your network. Leave empty to use the computer's name.",
  }),
  port: setting({
    schema: z
      .int('Enter a number')
      .min(1024, 'Choose a port from 1024 to 65535')
      .max(65535, 'Choose a port up to 65535'),
    /** 0 lets the system choose. */
    stored: z.int().min(0).max(65535),
    default: 4780,
    label: 'Port',
    help:
      'The number at the end of the address. A change breaks existing links and restarts this ' +
      'app.',
    switch: ['port', 'N'],
  }),
  shared_addresses: setting({
    schema: z.array(ipAddress).max(50),
    default: [],
    label: 'Addresses',
    help: 'If this computer loses an address, the host uses it again when it returns.',
  }),
  public_url: setting({
    schema: origin.nullable(),
    stored: z.url({ protocol: /^https?$/ }).nullable(),
    default: null,
    label: 'Public URL',
    help:
      'The address of a tunnel or proxy in front of this host, for links and QR codes. Leave ' +
      'empty if there is none.',
    placeholder: 'https://builds.example',
    switch: ['public-url', 'URL'],
  }),
  trusted_proxies: setting({
    schema: z.array(proxySchema).max(20, 'At most 20 proxies'),
    stored: z.array(proxySchema),
    default: [],
    label: 'Trusted proxies',
    help:
      'IP addresses or networks, one per line. Slipway trusts client addresses only from these ' +
      'proxies.',
    placeholder: '10.0.0.2',
    switch: ['trust-proxy', 'ADDRESSES'],
  }),
  webhook_networks: setting({
    schema: z.array(proxySchema).max(50, 'At most 50 networks'),
    default: [],
    label: 'Webhooks on your network',
    help:
      'IP addresses or networks that webhooks may reach beside the internet, one per line. ' +
      'Every account can send there.',
    placeholder: '192.168.1.20',
  }),
  npm_registry: setting({
    schema: registry,
    default: '',
    label: 'Other npm packages come from',
    help: 'The registry for names that a project does not have. Leave empty to have none.',
    placeholder: 'https://npm.example',
  }),
  python_index: setting({
    schema: registry,
    default: '',
    label: 'Other Python packages come from',
    help: 'The package index for names that a project does not have. Leave empty to have none.',
    placeholder: 'https://python.example/simple',
  }),
}

export const httpsSettings = {
  https: setting({
    schema: z.enum(['off', 'local', 'public', 'own']),
    default: 'off',
    label: 'Encryption',
    help: 'On the same port. iPhones and iPads install apps over HTTPS only.',
    options: {
      off: 'Off',
      local: 'Certificate made by this host',
      public: 'Public certificate, else made by this host',
      own: 'Your own certificate',
    },
  }),
  https_certificate: setting({
    schema: line(1000),
    default: '',
    label: 'Certificate',
    help: 'Full path of a PEM file: the certificate, then its intermediate certificates.',
    placeholder: '/etc/letsencrypt/live/builds.example/fullchain.pem',
    switch: ['cert', 'FILE'],
  }),
  https_key: setting({
    schema: line(1000),
    default: '',
    label: 'Key',
    help: 'Full path of a PEM file without a password. The host reads both files again every hour.',
    placeholder: '/etc/letsencrypt/live/builds.example/privkey.pem',
    switch: ['key', 'FILE'],
  }),
  https_redirect: setting({
    schema: z.boolean(),
    default: true,
    label: 'Redirect visitors to HTTPS',
    help: 'Applies to http:// addresses. This computer itself can still use HTTP.',
  }),
}
