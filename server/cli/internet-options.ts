import { internetSettings } from '../contract/host-settings/internet'
import type { Setting } from '../contract/host-settings/setting'
import type { ServerConfig } from '../compose/server-config'
import type { InternetSettings } from '../data/settings/settings-schema'
import { EVERYWHERE, HERE } from '../network/reach'
import { switchesOf, usageOf } from './options'

/** The switches of the headless host about access, as `parseArgs` takes them. */
export const internetSwitches = {
  share: { type: 'string' },
  'accept-terms': { type: 'boolean' },
  ...switchesOf(internetSettings),
} as const

const {
  tunnel_server,
  tunnel_port,
  tunnel_user,
  tunnel_remote_port,
  tunnel_fingerprint,
  ...direct
} = internetSettings

export const INTERNET_USAGE = `      [--share here|network|internet]
                                 (this computer only, your network, or everyone)
      [--accept-terms]   (of the certificate authority; --share internet needs it)
      ${usageOf(direct)}
      [--tunnel ${tunnel_server.switch?.[1]} ${usageOf({ tunnel_remote_port, tunnel_fingerprint })}]
                                 (with --share internet, through your SSH server
                                 instead of the router)`

type Words = {
  [Name in Exclude<keyof typeof internetSwitches, 'accept-terms'>]?: string | undefined
} & {
  'accept-terms'?: boolean | undefined
  host?: string | undefined
  'no-rate-limits'?: boolean | undefined
}

/** Converts these switches to overrides. Throws with a readable message. */
export function internetFrom(words: Words): Pick<ServerConfig, 'host' | 'internet'> {
  const share = shareFrom(words)
  const internet = { ...readAll(direct, words), ...tunnelFrom(words), ...wayFrom(words) }
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
  if (share !== 'internet' && tunnel !== undefined)
    throw new Error('--tunnel needs --share internet')

  if (share === undefined) return {}
  if (share !== 'internet') return { internet_way: 'off' }

  if (words['no-rate-limits'] === true)
    throw new Error('--share internet needs rate limits: start without --no-rate-limits')

  const way = tunnel === undefined ? 'router' : 'tunnel'
  const directory = words['acme-directory'] ?? internetSettings.acme_directory.default

  if (words['accept-terms'] === true)
    return { internet_way: way, acme_directory: directory, terms_accepted: directory }
  if (way === 'router' || CERTIFIED_PORTS.includes(words['tunnel-remote-port'] ?? '')) {
    const why =
      `it gets a certificate from ${directory}, ` + 'and your address or name becomes public there'
    throw new Error(`--share internet needs --accept-terms: ${why}`)
  }

  return { internet_way: way }
}

/** Parses `user@host[:port]`, with an IPv6 address in brackets. */
function tunnelFrom(words: Words): Partial<InternetSettings> {
  const { tunnel } = words
  if (tunnel === undefined) return {}
  const wrong = new Error(
    `--tunnel takes a user and a server, such as maya@vps.example:22, not ${tunnel}`,
  )

  const [, user, bracketed, plain, port = '22'] =
    /^([^@]+)@(?:\[([0-9a-f:.]+)\]|([^@:]+))(?::(\d+))?$/i.exec(tunnel) ?? []

  const server = tunnel_server.schema.safeParse(bracketed ?? plain)
  const account = tunnel_user.schema.safeParse(user)
  const number = tunnel_port.schema.safeParse(Number(port))
  if (!server.success || !account.success || !number.success) throw wrong

  return {
    tunnel_server: server.data,
    tunnel_port: number.data,
    tunnel_user: account.data,
    tunnel_remote_port: tunnel_remote_port.default,
    tunnel_fingerprint: tunnel_fingerprint.default,
    ...readAll({ tunnel_remote_port, tunnel_fingerprint }, words),
  }
}

/** The ports of a tunnel at which a certificate authority validates. */
const CERTIFIED_PORTS = ['80', '443']

/** The settings whose switches are given. Throws with the words of the setting. */
function readAll(rows: Readonly<Record<string, Setting>>, words: Words): Partial<InternetSettings> {
  const read = ([name, { schema, switch: option, default: usual }]: [string, Setting]) => {
    const word = option && words[option[0] as keyof typeof internetSwitches]
    if (word === undefined) return []
    const result = schema.safeParse(typeof usual === 'number' ? Number(word) : word)
    if (result.success) return [[name, result.data]]
    throw new Error(
      `--${option?.[0]} is not valid: ${result.error.issues[0]?.message ?? String(word)}`,
    )
  }
  return Object.fromEntries(Object.entries(rows).flatMap(read)) as Partial<InternetSettings>
}
