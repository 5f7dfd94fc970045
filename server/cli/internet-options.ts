import type { z } from 'zod'
import { internetDefaults, internetFields } from '../contract/internet-settings'
import type { ServerConfig } from '../compose/server-config'
import type { InternetSettings } from '../data/settings/settings-schema'
import { EVERYWHERE, HERE } from '../network/reach'

const text = { type: 'string' } as const

/** The switches of the headless host about who can reach it, as `parseArgs` takes them. */
export const internetSwitches = {
  share: text,
  'accept-terms': { type: 'boolean' },
  'internet-port': text,
  'internet-name': text,
  'acme-directory': text,
  'acme-email': text,
  stun: text,
  tunnel: text,
  'tunnel-remote-port': text,
  'tunnel-fingerprint': text,
} as const

export const INTERNET_USAGE = `      [--share here|network|internet]   (this computer only, your network, or everyone)
      [--accept-terms]   (of the certificate authority; --share internet needs it)
      [--internet-port N] [--internet-name NAME] [--stun SERVER:PORT]
      [--acme-directory URL] [--acme-email ADDRESS]
      [--tunnel USER@SERVER[:PORT] [--tunnel-remote-port N] [--tunnel-fingerprint SHA256:…]]
                                  (with --share internet, through your SSH server instead of the router)`

type Words = { [Name in Exclude<keyof typeof internetSwitches, 'accept-terms'>]?: string | undefined } & {
  'accept-terms'?: boolean | undefined
  host?: string | undefined
  'no-rate-limits'?: boolean | undefined
}

/** Converts these switches to overrides. Throws with a readable message. */
export function internetFrom(words: Words): Pick<ServerConfig, 'host' | 'internet'> {
  const share = shareFrom(words)
  const internet = { ...choicesOf(words), ...tunnelFrom(words), ...wayFrom(words) }
  return {
    ...(share === undefined ? {} : { host: share === 'here' ? HERE : EVERYWHERE }),
    ...(Object.keys(internet).length === 0 ? {} : { internet }),
  }
}

function shareFrom({ share, host }: Words): string | undefined {
  if (share === undefined) return undefined
  if (!['here', 'network', 'internet'].includes(share))
    throw new Error(`--share takes here, network or internet, not ${share}`)
  if (host !== undefined) throw new Error('Use either --share or --host')
  return share
}

function wayFrom(words: Words): Partial<InternetSettings> {
  const { share, tunnel } = words
  if (share !== 'internet' && tunnel !== undefined) throw new Error('--tunnel needs --share internet')
  if (share === undefined) return {}
  if (share !== 'internet') return { way: 'off' }
  if (words['no-rate-limits'] === true)
    throw new Error('--share internet needs rate limits: start without --no-rate-limits')
  const way = tunnel === undefined ? 'router' : 'tunnel'
  const directory = words['acme-directory'] ?? internetDefaults.acme_directory
  if (words['accept-terms'] === true) return { way, acmeDirectory: directory, termsAccepted: directory }
  if (way === 'router' || CERTIFIED_PORTS.includes(words['tunnel-remote-port'] ?? '')) {
    const why = `it gets a certificate from ${directory}, and your address or name becomes public there`
    throw new Error(`--share internet needs --accept-terms: ${why}`)
  }
  return { way }
}

function choicesOf(words: Words): Partial<InternetSettings> {
  return {
    ...optional('port', read(internetFields.internet_port, words, 'internet-port', Number)),
    ...optional('name', read(internetFields.internet_name, words, 'internet-name')),
    ...optional('acmeDirectory', read(internetFields.acme_directory, words, 'acme-directory')),
    ...optional('acmeEmail', read(internetFields.acme_email, words, 'acme-email')),
    ...optional('stunServer', read(internetFields.stun_server, words, 'stun')),
  }
}

/** `user@host[:port]`; an IPv6 address stands in brackets. */
function tunnelFrom(words: Words): Pick<InternetSettings, 'tunnel'> | undefined {
  const { tunnel } = words
  if (tunnel === undefined) return undefined
  const wrong = new Error(`--tunnel takes a user and a server, such as maya@vps.example:22, not ${tunnel}`)
  const [, user, bracketed, plain, port = '22'] =
    /^([^@]+)@(?:\[([0-9a-f:.]+)\]|([^@:]+))(?::(\d+))?$/i.exec(tunnel) ?? []
  const server = internetFields.tunnel_server.safeParse(bracketed ?? plain)
  const account = internetFields.tunnel_user.safeParse(user)
  const number = internetFields.tunnel_port.safeParse(Number(port))
  if (!server.success || !account.success || !number.success) throw wrong
  return {
    tunnel: {
      server: server.data,
      port: number.data,
      user: account.data,
      remotePort:
        read(internetFields.tunnel_remote_port, words, 'tunnel-remote-port', Number) ??
        internetDefaults.tunnel_remote_port,
      fingerprint: read(internetFields.tunnel_fingerprint, words, 'tunnel-fingerprint') ?? null,
    },
  }
}

/** Those of a tunnel at which a certificate authority asks. */
const CERTIFIED_PORTS = ['80', '443']

type TextName = Exclude<keyof Words, 'accept-terms' | 'no-rate-limits'>

/** The value of a switch; undefined: not given. Throws with the words of the field. */
function read<Schema extends z.ZodType>(
  schema: Schema,
  words: Words,
  name: TextName,
  as: (given: string) => unknown = String,
): z.output<Schema> | undefined {
  const given = words[name]
  if (given === undefined) return undefined
  const result = schema.safeParse(as(given))
  if (result.success) return result.data
  throw new Error(`--${name} is not valid: ${result.error.issues[0]?.message ?? given}`)
}

const optional = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value }
