import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setupLinkIn, setupTokenOf } from '../../../scripts/seed/setup-link'

/**
 * The folder with the built server, as `build-server.ts` or `npm run build` made it; `../renderer`
 * has the command that it serves.
 */
export const built = (): string =>
  process.env['SLIPWAY_TEST_SERVER'] ?? join(import.meta.dirname, '../../../dist/server')
const cli = () => join(built(), 'cli.js')
/** Another Node under which hosts run, such as the one for Windows. */
const node = () => process.env['SLIPWAY_TEST_NODE'] ?? process.execPath
/** Small, so that many crashes fall into a snapshot. */
const CHECKPOINT_BYTES = 30_000

/** Before a program: it ends with the process that has started it. Only Linux can. */
const mortal = process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'KILL'] : []

interface HostOptions {
  checkpointBytes?: number
  /** A program, with its arguments, that starts the server. */
  under?: string[]
  /** More options of the server. */
  also?: string[]
  /**
   * Within the limits of its settings, and with the real cost of passwords; otherwise without any.
   */
  limited?: boolean
}

/** The real server in a process of its own, on a data folder. */
export class Host {
  url = ''
  stdout = ''
  stderr = ''
  readonly ended: Promise<unknown>

  private constructor(readonly process: ChildProcess) {
    this.ended = once(process, 'exit')
    process.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()))
    process.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
  }

  /** Returns at once; `ready` waits until it listens. */
  static spawn(dataDir: string, options: HostOptions = {}): Host {
    const { checkpointBytes = CHECKPOINT_BYTES, under = [], also = [], limited = false } = options
    const free = limited ? [] : ['--no-rate-limits', '--password-cost', '4']
    const common = ['--port', '0', ...free, '--checkpoint-bytes', String(checkpointBytes)]
    const runner = [...mortal, ...under, ...mortal, node()]
    const [program, ...args] = [...runner, cli(), ...common, ...also, '--data', dataDir]
    const stdio: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'] }
    return new Host(spawn(program, args, stdio))
  }

  static async start(dataDir: string, options?: HostOptions): Promise<Host> {
    const host = Host.spawn(dataDir, options)
    await host.ready()
    return host
  }

  /** Throws its output if it ends instead of listening. */
  async ready(): Promise<void> {
    const listening = /listening on (\S+)\n/
    const closed = once(this.process, 'close').then(() => true)
    while (!listening.test(this.stdout)) {
      if (await Promise.race([once(this.process.stdout!, 'data').then(() => false), closed]))
        throw new Error(this.stderr)
    }
    this.url = listening.exec(this.stdout)?.[1] ?? ''
  }

  /** The token of the setup link that it printed; undefined: it has a host account. */
  get setup(): string | undefined {
    const link = setupLinkIn(this.stdout)
    return link && setupTokenOf(link)
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL')
    await this.ended
  }

  /** Its memory, in bytes (Linux and macOS). */
  rss(): number {
    return (
      Number(
        execFileSync('ps', ['-o', 'rss=', '-p', String(this.process.pid)], { encoding: 'utf8' }),
      ) * 1024
    )
  }

  /** As a person would stop it. */
  async stop(): Promise<void> {
    this.process.kill('SIGTERM')
    await this.ended
  }
}

/** Runs another command of the program. */
export const slipway = (...args: string[]): Promise<Ending> => slipwayUnder([], ...args)

interface Ending {
  code: number
  output: string
}

/** The same under another program, with its arguments, that starts it. */
export async function slipwayUnder(under: string[], ...args: string[]): Promise<Ending> {
  const child = spawn('env', [...under, node(), cli(), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}

/** The token of a new link to manage the running host of a data folder. */
export async function manageToken(dataDir: string, under: string[] = []): Promise<string> {
  const { output } = await slipwayUnder(under, 'manage', '--data', dataDir)
  return /link=([\w-]{22})\n$/.exec(output)?.[1] ?? output
}

/** Asks until it is so. */
export async function until(isSo: () => Promise<boolean>, seconds = 30): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`It was not so after ${seconds} s`)
    await pause(50)
  }
}
