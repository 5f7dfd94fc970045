import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { choicesFrom, defaultDataDir, hostSwitches, logLevelFrom, type HostChoices, type LogLevel } from '../../server'

/** What the command line may say; the headless host reads the same words. */
export interface Options {
  /** Library, blobs, settings and secrets: by default the folder of the headless host too. */
  dataDir: string
  /** Chromium's own files and the place of the window, apart from the library. */
  profileDir: string
  /** How much the log tells. */
  logLevel: LogLevel
  /** What this run decides instead of the settings. */
  choices: HostChoices
  /** The data folder has been emptied on purpose. */
  startEmpty?: boolean
  /** Without a window until somebody asks for it. */
  hidden?: boolean
}

/** The words that we know, and whether each is followed by a value. */
export const optionWords = {
  ...hostSwitches,
  'user-data-dir': { type: 'string' },
  hidden: { type: 'boolean' },
} as const

/** Words of the headless host that mean nothing here. */
const OF_SERVE_ONLY = ['no-rate-limits', 'checkpoint-bytes']

/** Chromium's own switches are among the arguments, so unknown ones are left alone. Throws with a sentence for people. */
export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({ args: argv.slice(1), options: optionWords, strict: false, allowPositionals: true })
  const foreign = OF_SERVE_ONLY.find((name) => Object.hasOwn(values, name))
  if (foreign !== undefined) throw new Error(`--${foreign} works only with the headless host (npm run serve)`)
  const said = (name: Exclude<keyof typeof hostSwitches, 'start-empty'> | 'user-data-dir') =>
    worded(`--${name}`, values[name])
  const dataDir = resolve(said('data') ?? said('user-data-dir') ?? defaultDataDir())
  const words = { host: said('host'), port: said('port'), cert: said('cert'), key: said('key') }
  const fromOutside = { 'public-url': said('public-url'), 'trust-proxy': said('trust-proxy') }
  return {
    dataDir,
    profileDir: join(dataDir, 'window'),
    logLevel: levelFrom(said('log-level')),
    choices: choicesFrom({ ...words, ...fromOutside, https: isSet('--https', values.https) }),
    ...(isSet('--start-empty', values['start-empty']) ? { startEmpty: true } : {}),
    ...(isSet('--hidden', values.hidden) ? { hidden: true } : {}),
  }
}

/** A switch without its value arrives as `true`. */
function worded(name: string, value: string | boolean | undefined): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw new Error(`${name} needs a value`)
}

function isSet(name: string, value: string | boolean | undefined): boolean {
  if (typeof value === 'string') throw new Error(`${name} takes no value`)
  return value === true
}

/** Chromium has a switch of this name too, which takes numbers. */
const levelFrom = (value: string | undefined) =>
  value === undefined || /^\d+$/.test(value) ? 'info' : logLevelFrom(value)
