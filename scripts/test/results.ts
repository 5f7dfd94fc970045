import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import type { Outcome } from './outcome'
import { NEEDS } from './tools/debian'

/** The result of a test: a line of JSON in the file of SLIPWAY_TEST_RESULTS. */
export interface Result {
  name: string
  ms: number
  state: 'passed' | 'failed' | 'skipped'
  flaky?: string
  /** The programs that a skipped test needs. */
  needs?: string
}

/** Returns the missing tools of a failed test, which `needTools` lists in its error. */
export function readNeeds(message = ''): string | undefined {
  return message.startsWith(NEEDS) ? message.slice(NEEDS.length) : undefined
}

/** Call from reporters, which run in the process of the test runner. */
export function report(result: Result): void {
  const file = process.env['SLIPWAY_TEST_RESULTS']
  if (file) appendFileSync(file, `${JSON.stringify(result)}\n`)
}

export class Results {
  readonly all: Result[] = []
  #read = 0

  constructor(readonly file: string) {
    rmSync(file, { force: true })
  }

  update(): void {
    if (!existsSync(this.file)) return
    const written = readFileSync(this.file).subarray(this.#read)
    const end = written.lastIndexOf('\n') + 1
    this.#read += end
    const lines = written.subarray(0, end).toString().split('\n').slice(0, -1)
    this.all.push(...lines.map((line) => JSON.parse(line) as Result))
  }

  /** Skipped tests fail in CI, and so does a run that broke without a failing test. */
  outcome(exitCode: number, output: string): Outcome {
    const count = (state: Result['state']) =>
      this.all.filter((result) => result.state === state).length
    const skipped = count('skipped')
    const needs = [...new Set(this.all.flatMap((result) => result.needs?.split(', ') ?? []))]
      .sort()
      .join(', ')
    const silent = exitCode !== 0 && count('failed') === 0 && needs === '' ? 1 : 0
    const failed = count('failed') + silent + (process.env['CI'] ? skipped : 0)
    const failures = this.all.filter(({ state }) => state === 'failed').map(({ name }) => name)
    const flaky = this.all
      .filter((result) => result.flaky !== undefined)
      .map((result) => `${result.name}\n${result.flaky}`)

    return {
      passed: count('passed'),
      failed,
      slowest: this.all.toSorted((a, b) => b.ms - a.ms).slice(0, 3),
      ...(flaky.length > 0 ? { flaky } : {}),
      ...(failures.length > 0 ? { failures } : {}),
      ...(silent > 0 ? { isBroken: true } : {}),
      ...(skipped > 0
        ? { note: `${skipped} skipped${needs === '' ? '' : `: need ${needs}`}` }
        : {}),
      ...(needs === '' ? {} : { needs }),
      ...(failed > 0 ? { details: output } : {}),
    }
  }
}
