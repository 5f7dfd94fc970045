import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  choicesFrom,
  defaultDataDir,
  hostSwitches,
  logLevelFrom,
  withHttpsMode,
  type HostChoices,
  type LogLevel,
} from '../../server'

export interface Options {
  /** Library, blobs, settings and secrets; defaults to the folder of the headless host. */
  dataDir: string
  profileDir: string
  logLevel: LogLevel
  choices: HostChoices
  startEmpty?: boolean
  hidden?: boolean
  /** The file for the result of a smoke run. */
  smoke?: string
}

export const optionWords = {
  ...hostSwitches,
  'user-data-dir': { type: 'string' },
  hidden: { type: 'boolean' },
  smoke: { type: 'string' },
} as const

/** Options of the headless host that have no meaning here. */
const OF_SERVE_ONLY = ['no-rate-limits', 'checkpoint-bytes']

/** Ignores unknown options: Chromium's are among them. Throws with a user-facing message. */
export function readOptions(argv: readonly string[]): Options {
  const args = withHttpsMode(argv.slice(1))
  const { values } = parseArgs({
    args,
    options: optionWords,
    strict: false,
    allowPositionals: true,
  })
  const foreign = OF_SERVE_ONLY.find((name) => Object.hasOwn(values, name))
  if (foreign !== undefined)
    throw new Error(`--${foreign} works only with the headless host (npm run serve)`)

  const readOption = (
    name: Exclude<keyof typeof hostSwitches, 'start-empty'> | 'user-data-dir' | 'smoke',
  ) => readWord(`--${name}`, values[name])

  const dataDir = resolve(readOption('data') ?? readOption('user-data-dir') ?? defaultDataDir())
  const words = {
    host: readOption('host'),
    port: readOption('port'),
    https: readOption('https'),
    cert: readOption('cert'),
    key: readOption('key'),
  }

  const smoke = readOption('smoke')
  const fromOutside = {
    'public-url': readOption('public-url'),
    'trust-proxy': readOption('trust-proxy'),
  }

  return {
    dataDir,
    profileDir: join(dataDir, 'window'),
    logLevel: levelFrom(readOption('log-level')),
    choices: choicesFrom({ ...words, ...fromOutside }),
    ...(isSet('--start-empty', values['start-empty']) ? { startEmpty: true } : {}),
    ...(isSet('--hidden', values.hidden) ? { hidden: true } : {}),
    ...(smoke === undefined ? {} : { smoke: resolve(smoke) }),
  }
}

function readWord(name: string, value: string | boolean | undefined): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw new Error(`${name} needs a value`)
}

function isSet(name: string, value: string | boolean | undefined): boolean {
  if (typeof value === 'string') throw new Error(`${name} takes no value`)
  return value === true
}

/** Chromium has an option of this name too, which takes numbers. */
const levelFrom = (value: string | undefined) =>
  value === undefined || /^\d+$/.test(value) ? 'info' : logLevelFrom(value)
