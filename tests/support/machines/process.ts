import { spawn, type ChildProcess } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'

/** Clock ticks in a second, as Linux counts CPU time. */
const TICKS = 100

/**
 * CPU seconds that a process has used. Linux counts those of each thread in ns, but those of
 * threads that have ended in ticks only; so the larger sum is the better one.
 */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  const threads = await readdir(`/proc/${pid}/task`)
  const runs = await Promise.all(
    threads.map((thread) =>
      readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0'),
    ),
  )
  const threadNs = runs.reduce((sum, run) => sum + Number(run.split(' ')[0]), 0)
  return Math.max((Number(user) + Number(system)) / TICKS, threadNs / 1e9)
}

/** Forgets how much memory a process has held: hashing a password takes 128 MiB for a moment. */
export const resetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5')

/** The most memory that a process has held since `resetPeak`, in MiB. */
export async function peakMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

/** The memory of a process, in MiB. */
export async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

/** The first child of a process: of nginx it is the worker. */
export async function childOf(pid: number): Promise<number> {
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name)
      ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
      : ''
    if (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] === String(pid)) return Number(name)
  }
  throw new Error(`Process ${pid} has no child`)
}

/** Runs a command to its end. Throws when it fails. */
export async function run(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (text: Buffer) => (output += text.toString()))
  child.stderr.on('data', (text: Buffer) => (output += text.toString()))
  const code = await new Promise((resolve) =>
    child.once('error', () => resolve(1)).once('close', resolve),
  )
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${output}`)
  return output
}

const together = (count: number) => `
pids=
for n in $(seq ${count}); do curl -sS --fail -o /dev/null "$@" & pids="$pids $!"; done
for pid in $pids; do wait $pid || exit 1; done`

/**
 * So many parallel runs of curl. A shell starts them, as a program of our size would take 5 ms for
 * each.
 */
export const curlTogether = (count: number, args: readonly string[]): Promise<string> =>
  run('sh', ['-c', together(count), 'sh', ...args])

/** Writes a file of so many MiB of random bytes. */
export const fillFile = (path: string, mib: number): Promise<string> =>
  run('sh', ['-c', 'head -c "$1" /dev/urandom > "$2"', 'sh', String(mib * 1024 * 1024), path])

/** Ends a process and waits for it. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await ended
}
