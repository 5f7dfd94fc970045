/** One line of the table that a benchmark prints. */
export function row(...cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}

/** The head of such a table; the first column is text, the others are numbers. */
export function head(...cells: readonly string[]): void {
  row(...cells)
  row(...cells.map((_, index) => (index === 0 ? '---' : '--:')))
}

/** The value below which `percent` of them lie. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? NaN
}

export const median = (values: readonly number[]): number => percentile(values, 50)

/** A goal, which begins with `≤`, `<` or `≥` and a number, with whether a figure meets it. */
export function judge(goal: string, figure: number): string {
  const [, sign, limit] = /^([≤<≥]) ([\d.]+)/.exec(goal) ?? []
  if (sign === undefined) return goal
  const isMet = sign === '≥' ? figure >= Number(limit) : figure <= Number(limit)
  return `${goal} ${isMet ? '✓' : '**missed**'}`
}

/** How long each of `count` runs of some work took, one after another, in ms. */
export async function times(
  count: number,
  work: (n: number) => Promise<unknown>,
): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < count; n++) {
    const start = performance.now()
    await work(n)
    took.push(performance.now() - start)
  }
  return took
}
