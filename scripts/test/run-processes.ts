import { readdirSync, readFileSync } from 'node:fs'

/** Marks all processes of this run; children inherit it by their environment. */
export const MARK = 'SLIPWAY_TEST_RUN'

/** When each process started, by its id: ids are used again. */
export type Processes = ReadonlyMap<number, string>

/**
 * Finds the marked processes of this run and their descendants, because Chromium overwrites the environment of its own.
 * Only Linux shows them; elsewhere tools must stop their own children.
 */
export function findRunProcesses(): Processes {
  const all = process.platform === 'linux' ? readdirSync('/proc').map(Number).flatMap(describe) : []
  const found = new Map<number, string>()
  const add = (one: (typeof all)[number]): void => {
    if (found.has(one.pid) || one.pid === process.pid) return
    found.set(one.pid, one.started)
    for (const child of all) if (child.parent === one.pid) add(child)
  }
  for (const one of all) if (one.isMarked) add(one)
  return found
}

/** Kills these processes, unless their ids have other ones by now. */
export function killProcesses(processes: Processes): void {
  for (const [pid, started] of processes) {
    if (describe(pid)[0]?.started === started) process.kill(pid, 'SIGKILL')
  }
}

/** Nothing for a process that has ended or belongs to another user. */
function describe(pid: number) {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    // The name, in parentheses, may contain anything (proc_pid_stat(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const [state = '', parent] = fields
    if (state === 'Z') return []
    const isMarked = environment.includes(`${MARK}=${process.pid}`)
    return [{ pid, parent: Number(parent), started: fields[19] ?? '', isMarked }]
  } catch {
    return []
  }
}
