import { readFileSync } from 'node:fs'
import type { ServerConfig } from '../compose/server-config'
import { HERE } from '../network/reach'
import { portFrom } from './options'

const text = { type: 'string' } as const
/** Characters. A shorter token can be guessed. */
const MIN_TOKEN = 32

/** The switches of the headless host about metrics, as `parseArgs` takes them. */
export const metricsSwitches = {
  'metrics-port': text,
  'metrics-host': text,
  'metrics-token-file': text,
} as const

export const METRICS_USAGE = `      [--metrics-port N [--metrics-host ADDRESS]]
      [--metrics-token-file FILE]
                                 (for Prometheus: at a port of this computer, or at
                                 /metrics with a token)`

/** Converts these switches to a choice. Throws with a readable message. */
export function metricsFrom(words: {
  [Name in keyof typeof metricsSwitches]?: string | undefined
}): Pick<ServerConfig, 'metrics'> {
  const { 'metrics-port': port, 'metrics-host': host, 'metrics-token-file': file } = words
  if (host !== undefined && port === undefined)
    throw new Error('--metrics-host needs --metrics-port')
  if (port === undefined && file === undefined) return {}
  return {
    metrics: {
      host: host ?? HERE,
      port: port === undefined ? undefined : portFrom(port, '--metrics-port'),
      token: file === undefined ? undefined : readToken(file),
    },
  }
}

function readToken(file: string): string {
  const token = readFileSync(file, 'utf8').trim()
  if (token.length >= MIN_TOKEN && /^\S+$/.test(token)) return token
  const how = `make one with: openssl rand -hex 32 > ${file}`
  throw new Error(
    `--metrics-token-file needs one token of at least ${MIN_TOKEN} characters; ${how}`,
  )
}
