import { head, percentile, row as line } from '../support/figures'
import { cpuSeconds, peakMib, resetPeak } from './process'
import type { Subject } from './subject'

/** A piece of work that every subject can do. */
export interface Row {
  name: string
  target: string
  /** MiB that it moves. */
  mib: number
  job(subject: Subject): Promise<unknown>
}

/** MiB/s, and CPU seconds for each GiB. */
interface Measured {
  speed: number
  cpu: number
}

/** The head of the table whose rows `report` prints. */
export function reportHead(ours: string, theirs: string): void {
  head('work', `${ours} MiB/s`, 'CPU s/GiB', `${theirs} MiB/s`, 'CPU s/GiB', 'ratio', 'target', 'peak RSS MiB')
}

/** Measures both in turn, and prints the medians; the ratio is the median of those of each round. */
export async function report(row: Row, ours: Subject, theirs: Subject | undefined, rounds: number): Promise<void> {
  const figures: [Measured[], Measured[]] = [[], []]
  await resetPeak(ours.pid)
  for (let round = 0; round < rounds; round++) {
    const turn = [() => measured(ours, row).then((one) => figures[0].push(one))]
    if (theirs) turn.push(() => measured(theirs, row).then((one) => figures[1].push(one)))
    // Each is equally often the second, which finds the disk still busy with the writes of the first.
    for (const job of round % 2 === 0 ? turn.reverse() : turn) await job()
  }
  const ratios = figures[1].map(({ speed }, index) => (figures[0][index]?.speed ?? 0) / speed)
  const shown = figures.flatMap((list) => [
    show(
      list.map(({ speed }) => speed),
      0,
    ),
    show(
      list.map(({ cpu }) => cpu),
      2,
    ),
  ])
  line(row.name, ...shown, show(ratios, 2), row.target, (await peakMib(ours.pid)).toFixed(0))
}

async function measured(subject: Subject, row: Row): Promise<Measured> {
  const [cpu, start] = [await cpuSeconds(subject.pid), performance.now()]
  await row.job(subject)
  const seconds = (performance.now() - start) / 1000
  const used = (await cpuSeconds(subject.pid)) - cpu
  await subject.forget()
  return { speed: row.mib / seconds, cpu: (used * 1024) / row.mib }
}

const show = (values: number[], digits: number) => (values.length === 0 ? '–' : percentile(values, 50).toFixed(digits))
