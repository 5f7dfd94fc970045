import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { BUILT } from './build-server'

const CLI = join(BUILT, 'cli.js')
/** Small, so that many crashes fall into a snapshot. */
const CHECKPOINT_BYTES = 30_000

interface HostOptions {
  checkpointBytes?: number
  /** A program, with its arguments, that starts the server. */
  under?: string[]
}

/** The real server in a process of its own, on a data folder. */
export class Host {
  url = ''
  stderr = ''
  readonly ended: Promise<unknown>

  private constructor(readonly process: ChildProcess) {
    this.ended = once(process, 'exit')
    process.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
  }

  /** Returns at once; `ready` waits until it listens. */
  static spawn(dataDir: string, { checkpointBytes = CHECKPOINT_BYTES, under = [] }: HostOptions = {}): Host {
    const options = ['--port', '0', '--no-rate-limits', '--checkpoint-bytes', String(checkpointBytes)]
    const [program, ...args] = [...under, process.execPath, CLI, ...options, '--data', dataDir]
    const stdio: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'] }
    return new Host(spawn(program, args, stdio))
  }

  static async start(dataDir: string, options?: HostOptions): Promise<Host> {
    const host = Host.spawn(dataDir, options)
    await host.ready()
    return host
  }

  /** Throws with what it said where it ends instead of listening. */
  async ready(): Promise<void> {
    const lines = createInterface({ input: this.process.stdout! })
    for await (const line of lines) {
      this.url = /listening on (\S+)$/.exec(line)?.[1] ?? ''
      if (this.url !== '') return
    }
    throw new Error(this.stderr)
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL')
    await this.ended
  }

  /** As a person would stop it. */
  async stop(): Promise<void> {
    this.process.kill('SIGTERM')
    await this.ended
  }
}

/** Runs another command of the program. */
export async function slipway(...args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}

/** Asks until it is so. */
export async function until(isSo: () => Promise<boolean>, seconds = 30): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`It was not so after ${seconds} s`)
    await pause(50)
  }
}
