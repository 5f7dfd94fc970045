import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
const bin = join(root, 'node_modules/.bin')

/** Marks whatever this run starts, grandchildren too, which have it in their environment. */
const MARK = 'SLIPWAY_TEST_RUN'
/** How long tools may take to end on a signal, in ms. */
const PATIENCE_MS = 5000

interface Result {
  code: number
  output: string
}

/** Added to our own environment; undefined takes a variable away. */
type Environment = Record<string, string | undefined>

const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())

/** Runs a tool of node_modules to its end and keeps what it says. */
export function tool(name: string, args: readonly string[], env: Environment = {}): Promise<Result> {
  return capture(join(bin, name), args, env)
}

/** Runs any program to its end and keeps what it says. Neither it nor what it starts outlives this run. */
export function capture(command: string, args: readonly string[], env: Environment = {}): Promise<Result> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env, [MARK]: String(process.pid) },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  running.add(child)
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() })
    })
  })
}

let stopping = false

/** Asks the tools to end, as they know what to close; then kills what is left of them. */
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  const ended = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)))
  running.forEach((child) => child.kill())
  await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
  killMarked()
  process.exit(130)
}

/** Linux tells the environment of every process; elsewhere the tools are trusted to have ended theirs. */
function killMarked(): void {
  if (process.platform !== 'linux') return
  for (const pid of readdirSync('/proc')
    .map(Number)
    .filter((id) => id > 0 && id !== process.pid)) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      if (environment.includes(`${MARK}=${process.pid}`)) process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended, or is not ours.
    }
  }
}
