import { internetSettings } from '../contract/host-settings/internet'
import type { Setting } from '../contract/host-settings/setting'
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
  if (share !== 'internet') return { internet_way: 'off' }
  if (words['no-rate-limits'] === true)
    throw new Error('--share internet needs rate limits: start without --no-rate-limits')
  const way = tunnel === undefined ? 'router' : 'tunnel'
  const directory = words['acme-directory'] ?? internetSettings.acme_directory.default
  if (words['accept-terms'] === true) return { internet_way: way, acme_directory: directory, terms_accepted: directory }
  if (way === 'router' || CERTIFIED_PORTS.includes(words['tunnel-remote-port'] ?? '')) {
    const why = `it gets a certificate from ${directory}, and your address or name becomes public there`
    throw new Error(`--share internet needs --accept-terms: ${why}`)
  }
  return { internet_way: way }
}

function choicesOf(words: Words): Partial<InternetSettings> {
  return {
    ...read('internet_port', words, Number),
    ...read('internet_name', words),
    ...read('acme_directory', words),
    ...read('acme_email', words),
    ...read('stun_server', words),
  }
}

/** `user@host[:port]`; an IPv6 address stands in brackets. */
function tunnelFrom(words: Words): Partial<InternetSettings> {
  const { tunnel } = words
  if (tunnel === undefined) return {}
  const wrong = new Error(`--tunnel takes a user and a server, such as maya@vps.example:22, not ${tunnel}`)
  const [, user, bracketed, plain, port = '22'] =
    /^([^@]+)@(?:\[([0-9a-f:.]+)\]|([^@:]+))(?::(\d+))?$/i.exec(tunnel) ?? []
  const server = internetSettings.tunnel_server.schema.safeParse(bracketed ?? plain)
  const account = internetSettings.tunnel_user.schema.safeParse(user)
  const number = internetSettings.tunnel_port.schema.safeParse(Number(port))
  if (!server.success || !account.success || !number.success) throw wrong
  const { tunnel_remote_port, tunnel_fingerprint } = internetSettings
  return {
    tunnel_server: server.data,
    tunnel_port: number.data,
    tunnel_user: account.data,
    tunnel_remote_port: tunnel_remote_port.default,
    tunnel_fingerprint: tunnel_fingerprint.default,
    ...read('tunnel_remote_port', words, Number),
    ...read('tunnel_fingerprint', words),
  }
}

/** The ports of a tunnel at which a certificate authority validates. */
const CERTIFIED_PORTS = ['80', '443']

/** The setting of a switch, if that is given. Throws with the words of the setting. */
function read(
  name: keyof typeof internetSettings,
  words: Words,
  as: (given: string) => unknown = String,
): Partial<InternetSettings> {
  const { schema, switch: option = '' }: Setting = internetSettings[name]
  const given = words[option as Exclude<keyof Words, 'accept-terms' | 'no-rate-limits'>]
  if (given === undefined) return {}
  const result = schema.safeParse(as(given))
  if (result.success) return { [name]: result.data }
  throw new Error(`--${option} is not valid: ${result.error.issues[0]?.message ?? given}`)
}
