import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MEMORY, runPrefix } from './memory'
import { findRunProcesses, killProcesses, MARK, ProcessTree } from './run-processes'

export const root = join(import.meta.dirname, '../..')
/** Node's compile cache, shared by hosts that tests start in separate processes. */
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compile')

const PATIENCE_MS = 3000
const LOOK_MS = 500
const isWindows = process.platform === 'win32'

interface Result {
  code: number
  output: string
  /**
   * User and system time of all its processes, to half a second each; 0 if the system does not
   * report it.
   */
  cpuSeconds: number
}

/** Merged into our environment; undefined removes a variable. */
type Environment = Record<string, string | undefined>

const running = new Set<ChildProcess>()
/** Temporary folder of all tools of this run, removed at its end. */
let folder: string | undefined

/** Runs a tool of node_modules, or Node itself, under this Node and captures its output. */
export function tool(
  name: string,
  args: readonly string[],
  env: Environment = {},
): Promise<Result> {
  const script = name === 'node' ? [] : [findScript(name)]
  return capture(process.execPath, [...script, ...args], env)
}

/**
 * Finds the script of the package with the name of its command. Windows has no links in `.bin`, but
 * shell scripts.
 */
function findScript(name: string): string {
  const folder = join(root, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>
  }
  const path = typeof bin === 'string' ? bin : bin[name]
  if (path === undefined) throw new Error(`The package ${name} has no command of its name`)
  return join(folder, path)
}

/** Runs a program and captures its output. Neither it nor its children outlive this run. */
export async function capture(
  command: string,
  args: readonly string[],
  env: Environment = {},
): Promise<Result> {
  // Synchronous: during a pause, a second tool would create another folder, which is never removed.
  folder ??= openFolder()

  const child = spawn(command, args, {
    cwd: root,
    env: {
      ...process.env,
      TMPDIR: folder,
      NODE_COMPILE_CACHE,
      ...env,
      [MARK]: String(process.pid),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
  })

  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))

  const tree = new ProcessTree(child.pid ?? 0)
  const looking = setInterval(() => tree.update(), LOOK_MS)
  try {
    const code = await new Promise<number | null>((resolve, reject) =>
      child.on('error', reject).on('close', resolve),
    )
    return { code: code ?? 1, output, cpuSeconds: tree.cpuSeconds }
  } finally {
    running.delete(child)
    clearInterval(looking)
  }
}

/**
 * Only here, not where this file is loaded: Vitest ends its workers by SIGTERM, and one that then
 * calls `process.exit` fails the run.
 */
function openFolder(): string {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void stop())
  process.on('exit', removeFolders)
  return mkdtempSync(join(tmpdir(), 'slipway-test-'))
}

/** Includes those of killed suites. */
function removeFolders(): void {
  const left = [MEMORY, join(root, 'test-results')].filter(existsSync).flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.startsWith(runPrefix(process.pid)))
      .map((name) => join(place, name)),
  )
  for (const path of folder === undefined ? left : [folder, ...left])
    rmSync(path, { recursive: true, force: true })
}

let stopping = false

/** Lets the tools close in order, then kills the remaining ones. */
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true

  // A process that has exited counts as running while another one holds its output open.
  const open = [...running].filter(
    ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
  )
  const ended = open.map((child) => new Promise((resolve) => child.once('exit', resolve)))

  const before = findRunProcesses()
  for (const { pid } of open) if (pid !== undefined) process.kill(isWindows ? pid : -pid)
  await Promise.race([
    Promise.all(ended),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ])

  killProcesses(before)
  killProcesses(findRunProcesses())
  process.exit(130)
}
