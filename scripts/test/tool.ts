import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
const bin = join(root, 'node_modules/.bin')

/** Marks all processes of this run; children inherit it by their environment. */
const MARK = 'SLIPWAY_TEST_RUN'
const PATIENCE_MS = 5000

interface Result {
  code: number
  output: string
}

/** Merged into our environment; undefined removes a variable. */
type Environment = Record<string, string | undefined>

const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())

/** Runs a tool of node_modules and captures its output. */
export function tool(name: string, args: readonly string[], env: Environment = {}): Promise<Result> {
  return capture(join(bin, name), args, env)
}

/** Runs a program and captures its output. Neither it nor its children outlive this run. */
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

/** Lets the tools close in order, then kills the rest. */
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  const ended = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)))
  running.forEach((child) => child.kill())
  await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
  killMarked()
  process.exit(130)
}

/** Only Linux exposes the environment of processes; elsewhere tools must stop their own children. */
function killMarked(): void {
  if (process.platform !== 'linux') return
  for (const pid of readdirSync('/proc')
    .map(Number)
    .filter((id) => id > 0 && id !== process.pid)) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      if (environment.includes(`${MARK}=${process.pid}`)) process.kill(pid, 'SIGKILL')
    } catch {
      // It has exited, or belongs to another user.
    }
  }
}
