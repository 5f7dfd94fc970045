import { readdirSync, readFileSync } from 'node:fs'

/** Marks all processes of this run; children inherit it by their environment. */
export const MARK = 'SLIPWAY_TEST_RUN'
/**
 * The mark of what puts away after a process, also after one that is killed: it outlives the run.
 */
export const KEEPER = 'keeper'
/**
 * Linux reports CPU time in hundredths of a second, regardless of the kernel's clock
 * (proc_pid_stat(5)).
 */
const TICKS_PER_SECOND = 100

interface Process {
  pid: number
  parent: number
  /** Start time, because ids are reused. */
  started: string
  /** Its own CPU time, in ticks. */
  own: number
  /** That of all processes that it has waited for. */
  waited: number
}

/** Every process of this machine. Only Linux shows them. */
function readProcesses(): Process[] {
  return process.platform === 'linux'
    ? readdirSync('/proc').flatMap((name) => readProcess(Number(name)))
    : []
}

/** Nothing for a process that has ended. */
function readProcess(pid: number): Process[] {
  if (!(pid > 0)) return []
  try {
    // The name, in parentheses, may contain anything (proc_pid_stat(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const at = (index: number) => Number(fields[index])

    if (fields[0] === 'Z') return []
    return [
      {
        pid,
        parent: at(1),
        started: fields[19] ?? '',
        own: at(11) + at(12),
        waited: at(13) + at(14),
      },
    ]
  } catch {
    return []
  }
}

/** A program and all that it starts, also what outlives its parent. */
export class ProcessTree {
  readonly #seen = new Map<number, Process>()

  constructor(private readonly root: number) {}

  /**
   * Looks for new processes. Shorter ones are covered by the time that their parents waited for.
   */
  update(): void {
    const all = readProcesses()
    const add = (one: Process): void => {
      const { parent } = this.#seen.get(one.pid) ?? one
      this.#seen.set(one.pid, { ...one, parent })
      for (const child of all) if (child.parent === one.pid) add(child)
    }
    for (const one of all)
      if (one.pid === this.root || this.#seen.get(one.pid)?.started === one.started) add(one)
  }

  /** User and system time of all of them, in seconds. */
  get cpuSeconds(): number {
    const seen = [...this.#seen.values()]
    const children = Map.groupBy(seen, ({ parent }) => parent)
    const unseen = ({ pid, waited }: Process) =>
      Math.max(
        0,
        waited -
          (children.get(pid) ?? []).reduce((sum, child) => sum + child.own + child.waited, 0),
      )
    return seen.reduce((sum, one) => sum + one.own + unseen(one), 0) / TICKS_PER_SECOND
  }
}

/**
 * Finds the marked processes of this run and their descendants, because Chromium overwrites its
 * environment.
 */
export function findRunProcesses(): readonly Process[] {
  const all = readProcesses().filter(({ pid }) => pid !== process.pid)
  const found = new Set<Process>()
  const add = (one: Process): void => {
    if (found.has(one)) return
    found.add(one)
    for (const child of all)
      if (child.parent === one.pid && !isMarked(child.pid, KEEPER)) add(child)
  }
  for (const one of all) if (isMarked(one.pid, process.pid)) add(one)
  return [...found]
}

/** False for a process of another user. */
function isMarked(pid: number, mark: number | typeof KEEPER): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${MARK}=${mark}`)
  } catch {
    return false
  }
}

/** Kills these processes, unless their ids were reused. */
export function killProcesses(processes: readonly Process[]): void {
  for (const { pid, started } of processes) {
    if (readProcess(pid)[0]?.started === started) process.kill(pid, 'SIGKILL')
  }
}
