import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultDataDir } from './data-dir'
import { startServer, type ServerConfig } from './index'

const USAGE = 'Usage: serve [--port N] [--host ADDRESS] [--data FOLDER] [--public-url URL] [--no-rate-limits]'

/** The headless host: the same server under plain Node, until SIGTERM or SIGINT. */
async function main(): Promise<void> {
  const config = configFrom(process.argv.slice(2))
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
    },
  })
  return {
    dataDir: values.data ?? defaultDataDir(),
    uiDir: join(import.meta.dirname, '../renderer'),
    version: version(),
    rateLimits: values['no-rate-limits'] !== true,
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

function fail(error: unknown): void {
  const { code, message } = error as { code?: string; message?: string }
  console.error(`Slipway cannot start: ${message ?? String(error)}`)
  if (code?.startsWith('ERR_PARSE_ARGS')) console.error(USAGE)
  process.exit(1)
}

main().catch(fail)
