import { spawn, type SpawnOptions } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setupLinkIn } from '../../../scripts/seed/setup-link'
import { run, stop } from '../transfers/process'

const root = join(import.meta.dirname, '../../..')

/** A build that is measured. */
export interface Build {
  name: string
  /** The path of its `cli.js`. */
  cli: string
}

/** What ships of this source, built again after a change, and, beside it, the build whose `cli.js` BENCH_DIST names. */
export async function findBuilds(): Promise<Build[]> {
  await run(process.execPath, [join(root, 'scripts/build.mjs'), '--if-changed'])
  const own = { name: 'slipway', cli: join(root, 'dist/server/cli.js') }
  const other = process.env['BENCH_DIST']
  return other === undefined ? [own] : [own, { name: 'BENCH_DIST', cli: other }]
}

/** A host in a process of its own. */
export interface Host {
  url: string
  port: number
  pid: number
  /** Where an empty host makes its first account. */
  setupLink: string | undefined
  /** Whether its process still runs. */
  isAlive: () => boolean
  stop: () => Promise<void>
}

/** `args`: more options of the command line. `descriptors`: how many it may open. */
interface Choices {
  args?: readonly string[]
  descriptors?: number
}

/** Starts a build under plain Node on a data folder, on any free port of loopback. Resolves once it listens. */
export async function startHost({ cli }: Build, data: string, { args = [], descriptors }: Choices = {}): Promise<Host> {
  const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors}; `
  const command = [process.execPath, cli, '--port', '0', '--host', '127.0.0.1', '--data', data, ...args]
  const stdio: SpawnOptions['stdio'] = ['ignore', 'pipe', 'inherit']
  const child = spawn('sh', ['-c', `${limit}exec "$@"`, 'sh', ...command], { stdio })
  process.once('exit', () => child.kill('SIGKILL'))
  let printed = ''
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const isAlive = () => child.exitCode === null && child.signalCode === null
  while (!/listening on \S+\n/.test(printed) && isAlive()) await pause(20)
  const { origin: url, port } = new URL(/listening on (\S+)/.exec(printed)?.[1] ?? '')
  const setupLink = setupLinkIn(printed)
  return { url, port: Number(port), pid: child.pid ?? 0, setupLink, isAlive, stop: () => stop(child) }
}
