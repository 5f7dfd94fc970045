import type { TestCase, TestModule, TestSuite } from 'vitest/node'
import { readNeeds, report } from '../results'

/** Reports each finished test to scripts/test.ts. */
export default class VitestReporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (state === 'pending') return
    const { duration = 0, flaky = false } = test.diagnostic() ?? {}
    const result = { name: `${test.module.relativeModuleId} › ${test.fullName}`, ms: duration }

    const needs = state === 'failed' ? readNeeds(errors[0]?.message) : undefined
    if (needs !== undefined) return report({ ...result, state: 'skipped', needs })
    report({ ...result, state, ...(flaky ? { flaky: errors?.[0]?.message ?? '' } : {}) })
  }

  onTestSuiteResult(suite: TestSuite): void {
    this.#reportHook(suite.fullName, suite)
  }

  onTestModuleEnd(module: TestModule): void {
    this.#reportHook(module.relativeModuleId, module)
  }

  /** A failed `beforeAll` skips its tests and fails the suite. */
  #reportHook(name: string, suite: TestSuite | TestModule): void {
    const needs = suite.errors().flatMap(({ message }) => readNeeds(message) ?? [])
    if (needs.length > 0) report({ name, ms: 0, state: 'skipped', needs: needs.join(', ') })
  }
}
