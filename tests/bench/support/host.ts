import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setupLinkIn } from '../../../scripts/seed/setup-link'
import { run, stop } from '../../support/machines/process'

const root = join(import.meta.dirname, '../../..')
/** As much as a host can allow: measurements would end in refusals. */
const MANY = 1_000_000
const GENEROUS = {
  ...{ requests_per_hour: MANY, uploads_per_hour: MANY },
  ...{ transfers_per_address: MANY / 10, connections_per_address: MANY / 10 },
}

/** What a host prints once it answers. */
const LISTENS = /(?:listening on|reads at) (\S+)\n/

/** A build that is measured. */
export interface Build {
  name: string
  /** The path of its `cli.js`. */
  cli: string
}

/**
 * What ships of this source, built again after a change; then the build whose `cli.js` BENCH_DIST
 * names, if it does.
 */
export async function findBuilds(): Promise<[Build, ...Build[]]> {
  await run(process.execPath, [join(root, 'scripts/build.mjs'), '--if-changed'])
  const other = process.env['BENCH_DIST']
  const others = other === undefined ? [] : [{ name: 'BENCH_DIST', cli: other }]
  return [{ name: 'slipway', cli: join(root, 'dist/server/cli.js') }, ...others]
}

/** A host in a process of its own. */
export interface Host {
  url: string
  port: number
  pid: number
  /** Of an empty host: where its first account is made. */
  setupLink: string | undefined
  isAlive: () => boolean
  stop: () => Promise<void>
}

interface Choices {
  /** More options of the command line. */
  args?: readonly string[]
  /** How many files and connections it may have open. */
  descriptors?: number
  /** Undefined: those that its library has. */
  limits?: object | undefined
}

/**
 * Starts a build under plain Node on a data folder, with rate limits that no measurement reaches.
 * It listens on loopback.
 */
export async function startHost(
  { cli }: Build,
  data: string,
  choices: Choices = {},
): Promise<Host> {
  const { args = [], descriptors = 8192, limits } = { limits: GENEROUS, ...choices }
  await mkdir(data, { recursive: true, mode: 0o700 })
  if (limits) await writeFile(join(data, 'settings.json'), JSON.stringify(limits))
  const command = [
    process.execPath,
    cli,
    '--port',
    '0',
    '--host',
    '127.0.0.1',
    '--data',
    data,
    ...args,
  ]
  const limited = ['-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh']
  const child = spawn('sh', [...limited, ...command], { stdio: ['ignore', 'pipe', 'ignore'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const isAlive = () => child.exitCode === null && child.signalCode === null
  while (!LISTENS.test(printed)) {
    if (!isAlive()) throw new Error(`${cli} has ended and printed only: ${printed}`)
    await pause(20)
  }
  const { origin: url, port } = new URL(LISTENS.exec(printed)?.[1] ?? '')
  const setupLink = setupLinkIn(printed)
  return {
    url,
    port: Number(port),
    pid: child.pid ?? 0,
    setupLink,
    isAlive,
    stop: () => stop(child),
  }
}
