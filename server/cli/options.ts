import { resolve } from 'node:path'
import type { ServerConfig } from '../compose/server-config'
import type { Setting } from '../contract/host-settings/setting'
import { httpsSettings, proxySchema, sharingSettings } from '../contract/host-settings/sharing'

type Table = Readonly<Record<string, Setting>>
type SwitchOf<Rows extends Table> = NonNullable<Rows[keyof Rows]['switch']>[0]

const switchesIn = (rows: Table) =>
  Object.values(rows).flatMap((row) => (row.switch ? [row.switch] : []))

/** The switches of these settings, as `parseArgs` takes them. */
export const switchesOf = <Rows extends Table>(rows: Rows) =>
  Object.fromEntries(switchesIn(rows).map(([name]) => [name, { type: 'string' }])) as {
    [Name in SwitchOf<Rows>]: { type: 'string' }
  }

/** The usage of these switches: `[--internet-port N]`. */
export const usageOf = (rows: Table): string =>
  switchesIn(rows)
    .map(([name, value]) => `[--${name} ${value}]`)
    .join(' ')

const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
/** The values of `--https`; the first one applies without a value. */
const HTTPS_MODES = ['local', 'public'] as const
/** How long downloads continue after a hand-over, in ms. */
const USUAL_DRAIN_MS = 15 * 60_000
const LONGEST_DRAIN_MS = 24 * 3_600_000
const UNITS = { s: 1000, m: 60_000, h: 3_600_000 } as const

/** The switches shared by the headless host and the app, as `parseArgs` takes them. */
export const hostSwitches = {
  data: text,
  host: text,
  ...switchesOf(sharingSettings),
  /** See `withHttpsMode`. */
  https: text,
  ...switchesOf(httpsSettings),
  'log-level': text,
  'start-empty': flag,
} as const

/** The settings that a run overrides. */
export type HostChoices = Pick<ServerConfig, 'host' | 'port' | 'publicUrl' | 'trustProxy' | 'https'>

type Words = {
  [Name in 'host' | 'port' | 'public-url' | 'trust-proxy' | 'https' | 'cert' | 'key']?:
    | string
    | undefined
}

/**
 * Adds the value of `--https`, which may be omitted. `parseArgs` does not support such switches.
 */
export function withHttpsMode(args: readonly string[]): string[] {
  const isMode = (word: string | undefined) => HTTPS_MODES.some((mode) => mode === word)
  return args.flatMap((word, at) => {
    if (word === '--https')
      return [`--https=${isMode(args[at + 1]) ? args[at + 1] : HTTPS_MODES[0]}`]
    return isMode(word) && args[at - 1] === '--https' ? [] : [word]
  })
}

/** Converts switches to overrides. Throws with a readable message. */
export function choicesFrom(words: Words): HostChoices {
  const { host, port, 'public-url': publicUrl, 'trust-proxy': trustProxy } = words
  return {
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port: portFrom(port) }),
    ...(publicUrl === undefined ? {} : { publicUrl: urlFrom(publicUrl) }),
    ...(trustProxy === undefined ? {} : { trustProxy: proxiesFrom(trustProxy) }),
    ...httpsFrom(words),
  }
}

/** Reads a port; 0 means any free one. Throws with the name of the switch. */
export function portFrom(input: string, name = '--port'): number {
  if (/^\d{1,5}$/.test(input) && Number(input) <= 65_535) return Number(input)
  throw new Error(`${name} takes a number from 0 to 65535, not ${input}`)
}

function urlFrom(input: string): string {
  const url = URL.canParse(input) ? new URL(input) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/') return url.origin
  throw new Error(`--public-url takes an address such as https://builds.example, not ${input}`)
}

function proxiesFrom(input: string): string[] {
  return input.split(',').map((entry) => {
    const proxy = proxySchema.safeParse(entry)
    if (proxy.success) return proxy.data
    throw new Error(`--trust-proxy takes IP addresses or networks such as 10.0.0.0/8, not ${entry}`)
  })
}

/**
 * Resolves relative paths from the current folder. Throws for an unknown mode, or one of the two
 * files alone.
 */
function httpsFrom({
  https,
  cert,
  key,
}: Pick<Words, 'https' | 'cert' | 'key'>): Pick<HostChoices, 'https'> {
  const mode = HTTPS_MODES.find((value) => value === https)
  if (https !== undefined && mode === undefined)
    throw new Error(`--https takes local or public, not ${https}`)
  if ((cert === undefined) !== (key === undefined)) throw new Error('--cert and --key go together')
  const chosen = cert === undefined ? mode : 'own'
  if (chosen === undefined) return {}
  const pathOf = (path: string | undefined) => (path === undefined ? '' : resolve(path))
  return {
    https: {
      https: chosen,
      https_certificate: pathOf(cert),
      https_key: pathOf(key),
      https_redirect: true,
    },
  }
}

/**
 * How long downloads continue after the data folder was handed over, in ms. Requires a port of
 * systemd, so that the next process can start while this one drains. Throws with a readable
 * message.
 */
export function drainFrom(input: string | undefined, isPortKept: boolean): number {
  if (input === undefined) return isPortKept ? USUAL_DRAIN_MS : 0
  if (!isPortKept)
    throw new Error('--drain needs a port that systemd keeps: see slipway.socket in docs/deploy.md')
  const [, number, unit] = /^(\d{1,5})([smh])$/.exec(input) ?? []
  const ms = Number(number) * UNITS[(unit ?? 's') as keyof typeof UNITS]
  if (ms <= LONGEST_DRAIN_MS) return ms
  throw new Error(`--drain takes a time up to 24h such as 90s or 15m, not ${input}`)
}

/** The file of --cluster. Throws with a readable message. */
export function clusterFrom(
  { cluster }: { cluster?: string },
  isPortKept = false,
): { cluster?: string } {
  // The next primary is on another computer, while this host keeps answering.
  if (cluster !== undefined && isPortKept)
    throw new Error(
      '--cluster needs a port of its own: run `systemctl disable --now slipway.socket`',
    )
  return cluster === undefined ? {} : { cluster }
}

/** The switches that a demo refuses: each leads to other data, or out of this computer. */
const NOT_IN_DEMOS = [
  'data',
  'cluster',
  'share',
  'tunnel',
  'bucket-config',
  'https',
  'cert',
  'drain',
]

/** Throws with a readable message for a switch that a demo refuses. */
export function refuseForDemo(args: readonly string[]): void {
  const refused = NOT_IN_DEMOS.find((name) =>
    args.some((word) => word.split('=')[0] === `--${name}`),
  )
  if (refused !== undefined)
    throw new Error(`--demo and --${refused} do not go together: a demo keeps nothing`)
}
