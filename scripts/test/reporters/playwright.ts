import type { Reporter, TestCase, TestResult } from 'playwright/types/testReporter'
import { report } from '../results'

const states = { skipped: 'skipped', expected: 'passed', flaky: 'passed', unexpected: 'failed' } as const

/** Reports each finished test to scripts/test.ts. */
export default class PlaywrightReporter implements Reporter {
  onTestEnd(test: TestCase, { duration, retry }: TestResult): void {
    const outcome = test.outcome()
    if (outcome === 'unexpected' && retry < test.retries) return
    const [, , ...name] = test.titlePath()
    const firstTry = outcome === 'flaky' ? { flaky: test.results[0]?.error?.message ?? '' } : {}
    report({ name: name.join(' › '), ms: duration, state: states[outcome], ...firstTry })
  }
}
