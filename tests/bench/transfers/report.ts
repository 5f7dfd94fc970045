import { head, judge, median, row } from '../support/figures'
import { cpuSeconds, run } from '../../support/machines/process'

/** MiB/s, and CPU seconds for each GiB. */
interface Measured {
  speed: number
  cpu: number
}

/** Does some work once. */
export type Turn = () => Promise<Measured>

/** Goals of ours: for its CPU, and for the median ratio of its speed to that of the last one. */
interface Goals {
  cpu: string
  speed?: string
}

/** The head of the table whose rows `compare` prints. */
export function compareHead(work: string, ...names: readonly string[]): void {
  const last = names.at(-1) ?? ''
  head(
    work,
    ...names.flatMap((name) => [`${name} MiB/s`, 'CPU s/GiB']),
    `× ${last}`,
    'goal of CPU',
    'of speed',
  )
}

/** All take turns; the first is ours. Prints their medians. */
export async function compare(
  work: string,
  turns: readonly Turn[],
  rounds: number,
  goals: Goals,
): Promise<void> {
  const found: Measured[][] = turns.map(() => [])
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    const order = [...turns.entries()]
    // Each is equally often the last, which finds the disk still busy with the writes of the
    // others.
    for (const [index, turn] of round % 2 === 0 ? order.reverse() : order) {
      const one = await turn()
      if (round >= 0) found[index]?.push(one)
    }
  }
  const [ours = []] = found
  const ratio = median(
    ours.map(({ speed }, index) => speed / (found.at(-1)?.[index]?.speed ?? NaN)),
  )
  const cells = found.flatMap((all) => [
    median(all.map(({ speed }) => speed)).toFixed(0),
    showCpu(all),
  ])
  const cpu = judge(goals.cpu, median(ours.map((one) => one.cpu)))
  row(work, ...cells, ratio.toFixed(2), cpu, judge(goals.speed ?? '', ratio))
}

const showCpu = (all: readonly Measured[]) => {
  const cpus = all.map(({ cpu }) => cpu)
  return `${median(cpus).toFixed(2)} (${Math.min(...cpus).toFixed(2)})`
}

/** The work of a server that moves so many MiB; `after` is not measured. */
export function turnOf(
  pid: number,
  mib: number,
  job: () => Promise<unknown>,
  after = async () => {},
): Turn {
  return async () => {
    const [before, start] = [await cpuSeconds(pid), performance.now()]
    await job()
    const seconds = (performance.now() - start) / 1000
    const used = (await cpuSeconds(pid)) - before
    await after()
    return { speed: mib / seconds, cpu: (used * 1024) / mib }
  }
}

const HASH = `fs.createReadStream(process.argv[1], { highWaterMark: 1 << 20 }).pipe(require('crypto').createHash('sha256'))`

/**
 * What an upload is at least: a file is hashed (by Node: `sha256sum` may take four times as long),
 * copied and synced.
 */
export function hashAndCopy(file: string, copy: string, mib: number): Turn {
  const script = '"$1" -e "$2" "$3" && cp "$3" "$4" && sync "$4" && times && rm "$4"'
  return async () => {
    const start = performance.now()
    const printed = await run('sh', ['-c', script, 'sh', process.execPath, HASH, file, copy])
    const seconds = (performance.now() - start) / 1000
    const [, minutes = 0, user = 0, more = 0, system = 0] =
      /\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(printed)?.map(Number) ?? []
    return { speed: mib / seconds, cpu: ((minutes * 60 + user + more * 60 + system) * 1024) / mib }
  }
}
