import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultDataDir } from './data-dir'
import { startServer, type ServerConfig } from './index'
import { commands, MAINTENANCE_USAGE } from './maintenance/commands'

const USAGE = `Usage:
serve [--port N] [--host ADDRESS] [--data FOLDER] [--public-url URL]
      [--no-rate-limits] [--checkpoint-bytes N]   (both for tests only)
${MAINTENANCE_USAGE}`

async function main(): Promise<void> {
  const [name = '', ...args] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command) process.exitCode = await command(args).catch((error: unknown) => failAt(`${name} has failed`, error))
  else await serve(name === 'serve' ? args : process.argv.slice(2)).catch((error: unknown) => fail(error))
}

/** The headless host: the same server under plain Node, until SIGTERM or SIGINT. */
async function serve(args: string[]): Promise<void> {
  const config = configFrom(args)
  const server = await startServer(config)
  if (config.rateLimits === false) console.log('Rate limits are off: use this for load tests only')
  console.log(`Slipway is listening on ${server.url}`)
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    server.close().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function configFrom(args: string[]): ServerConfig {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      data: { type: 'string' },
      'public-url': { type: 'string' },
      'no-rate-limits': { type: 'boolean' },
      'checkpoint-bytes': { type: 'string' },
    },
  })
  return {
    dataDir: values.data ?? defaultDataDir(),
    uiDir: join(import.meta.dirname, '../renderer'),
    version: version(),
    rateLimits: values['no-rate-limits'] !== true,
    ...(values['checkpoint-bytes'] === undefined ? {} : { checkpointBytes: Number(values['checkpoint-bytes']) }),
    ...(values.port === undefined ? {} : { port: portFrom(values.port) }),
    ...(values.host === undefined ? {} : { host: values.host }),
    ...(values['public-url'] === undefined ? {} : { publicUrl: urlFrom(values['public-url']) }),
  }
}

function portFrom(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new Error(`--port takes a number from 0 to 65535, not ${text}`)
}

function urlFrom(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/') return url.origin
  throw new Error(`--public-url takes an address such as https://builds.example, not ${text}`)
}

/** Bundled and from source alike, package.json is the nearest one above. */
function version(): string {
  const path = ['../package.json', '../../package.json'].map((above) => join(import.meta.dirname, above))
  for (const candidate of path) {
    try {
      return (JSON.parse(readFileSync(candidate, 'utf8')) as { version: string }).version
    } catch {
      continue
    }
  }
  return '0.0.0'
}

const fail = (error: unknown) => failAt('Slipway cannot start', error)

function failAt(what: string, error: unknown): never {
  const { code, message } = error as { code?: string; message?: string }
  console.error(`${what}: ${message ?? String(error)}`)
  if (code?.startsWith('ERR_PARSE_ARGS')) console.error(USAGE)
  process.exit(1)
}

await main()
