import type { Reporter, TestCase, TestResult } from 'playwright/types/testReporter'
import { readNeeds, report } from '../results'

const states = {
  skipped: 'skipped',
  expected: 'passed',
  flaky: 'passed',
  unexpected: 'failed',
} as const

/** Reports each finished test to scripts/test.ts. */
export default class PlaywrightReporter implements Reporter {
  onTestEnd(test: TestCase, { duration, retry, error }: TestResult): void {
    const outcome = test.outcome()
    if (outcome === 'unexpected' && retry < test.retries) return
    const [, , ...names] = test.titlePath()
    const result = { name: names.join(' › '), ms: duration }

    const needs =
      outcome === 'unexpected' ? readNeeds(error?.message?.replace('Error: ', '')) : undefined
    if (needs !== undefined) return report({ ...result, state: 'skipped', needs })
    const firstTry = outcome === 'flaky' ? { flaky: test.results[0]?.error?.message ?? '' } : {}
    report({ ...result, state: states[outcome], ...firstTry })
  }
}
