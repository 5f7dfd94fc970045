import type { TestCase } from 'vitest/node'
import { report } from '../results'

/** Reports each finished test to scripts/test.ts. */
export default class VitestReporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (state === 'pending') return
    const { duration = 0, flaky = false } = test.diagnostic() ?? {}
    const firstTry = flaky ? { flaky: errors?.[0]?.message ?? '' } : {}
    report({ name: `${test.module.relativeModuleId} › ${test.fullName}`, ms: duration, state, ...firstTry })
  }
}
