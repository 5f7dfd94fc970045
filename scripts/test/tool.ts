import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const bin = join(root, 'node_modules/.bin')

interface Result {
  code: number
  output: string
}

/** Added to our own environment; undefined takes a variable away. */
type Environment = Record<string, string | undefined>

const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill()))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))

/** Runs a tool of node_modules to its end and keeps what it says. */
export function tool(name: string, args: readonly string[], env: Environment = {}): Promise<Result> {
  return capture(join(bin, name), args, env)
}

/** Runs any program to its end and keeps what it says. It does not outlive us. */
export function capture(command: string, args: readonly string[], env: Environment = {}): Promise<Result> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
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
