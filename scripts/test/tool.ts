import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MEMORY, memoryPrefix } from './memory'
import { findRunProcesses, killProcesses, MARK } from './run-processes'

export const root = join(import.meta.dirname, '../..')
const bin = join(root, 'node_modules/.bin')

const PATIENCE_MS = 3000
/** Runs a program, then prints the CPU time of it and of all that it has waited for. It gets signals by its group. */
const MEASURED = 'trap : TERM; "$@"; code=$?; times >&3; exit $code'
const isWindows = process.platform === 'win32'

interface Result {
  code: number
  output: string
  /** User and system time of all its processes; 0 where the system does not tell. */
  cpuSeconds: number
}

/** Merged into our environment; undefined removes a variable. */
type Environment = Record<string, string | undefined>

const running = new Set<ChildProcess>()
/** Where all tools of this run keep what is temporary; removed at its end. */
let folder: string | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
process.on('exit', removeFolders)

/** Runs a tool of node_modules and captures its output. */
export function tool(name: string, args: readonly string[], env: Environment = {}): Promise<Result> {
  return capture(join(bin, name), args, env)
}

/** Runs a program and captures its output. Neither it nor its children outlive this run. */
export async function capture(command: string, args: readonly string[], env: Environment = {}): Promise<Result> {
  folder ??= await mkdtemp(join(tmpdir(), 'slipway-test-'))
  const measured = ['-c', MEASURED, 'sh', command, ...args]
  const child = spawn(isWindows ? command : 'sh', isWindows ? args : measured, {
    cwd: root,
    env: { ...process.env, TMPDIR: folder, ...env, [MARK]: String(process.pid) },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    shell: isWindows,
    detached: !isWindows,
  })
  running.add(child)
  let [output, times] = ['', '']
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stdio[3]?.on('data', (chunk: Buffer) => (times += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code: code ?? 1, output, cpuSeconds: sumTimes(times) })
    })
  })
}

/** Adds up the times of the children, which POSIX prints in the second line: `1m2.5s 0m3.25s`. */
function sumTimes(times: string): number {
  const ofChildren = times.split('\n')[1] ?? ''
  const seconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => Number(m) * 60 + Number(s))
  return seconds.reduce((sum, one) => sum + one, 0)
}

/** Also the folders in memory of suites that were killed. */
function removeFolders(): void {
  const inMemory = existsSync(MEMORY) ? readdirSync(MEMORY) : []
  const left = inMemory.filter((name) => name.startsWith(memoryPrefix(process.pid))).map((name) => join(MEMORY, name))
  for (const path of folder === undefined ? left : [folder, ...left]) rmSync(path, { recursive: true, force: true })
}

let stopping = false

/** Lets the tools close in order, then kills the rest. */
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  const ended = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)))
  const before = findRunProcesses()
  for (const { pid } of running) if (pid !== undefined) process.kill(isWindows ? pid : -pid)
  await Promise.race([Promise.all(ended), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
  killProcesses(before)
  killProcesses(findRunProcesses())
  process.exit(130)
}
