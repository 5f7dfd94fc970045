import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultDataDir } from '../server'

/** What the command line may say; the headless host reads the same words. */
export interface Options {
  /** Library, blobs, settings and secrets: by default the folder of the headless host too. */
  dataDir: string
  /** Chromium's own files and the place of the window, apart from the library. */
  profileDir: string
  host?: string
  port?: number
  publicUrl?: string
}

const text = { type: 'string' } as const

/** Chromium's own switches are among the arguments, so unknown ones are left alone. Throws with a sentence for people. */
export function readOptions(argv: readonly string[]): Options {
  const options = { data: text, 'user-data-dir': text, host: text, port: text, 'public-url': text }
  const { values } = parseArgs({ args: argv.slice(1), options, strict: false, allowPositionals: true })
  const { data, host, port, 'user-data-dir': userData, 'public-url': publicUrl } = values
  const dataDir = resolve(worded('--data', data) ?? worded('--user-data-dir', userData) ?? defaultDataDir())
  return {
    dataDir,
    profileDir: join(dataDir, 'window'),
    ...defined('host', worded('--host', host)),
    ...defined('port', portFrom(worded('--port', port))),
    ...defined('publicUrl', urlFrom(worded('--public-url', publicUrl))),
  }
}

/** A switch without its value arrives as `true`. */
function worded(name: string, value: string | boolean | undefined): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw new Error(`${name} needs a value`)
}

function portFrom(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value)
  throw new Error(`--port takes a number from 0 to 65535, not ${value}`)
}

function urlFrom(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/') return url.origin
  throw new Error(`--public-url takes an address such as https://builds.example, not ${value}`)
}

const defined = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, Value>>
