import { afterEach, expect, test, vi } from 'vitest'
import { counted, unavailable, type Step } from '../../scripts/test/outcome'
import { runSteps } from '../../scripts/test/run-steps'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const step = (name: string, run: Step['run']): Step => ({ name, run })

test('a run that breaks without a failing test has failed', () => {
  expect(counted(12, 0, 0, 1, 'Unhandled rejection')).toMatchObject({
    passed: 12,
    failed: 1,
    details: 'Unhandled rejection',
  })
  expect(counted(0, 0, 0, 1, 'No test files found')).toMatchObject({ passed: 0, failed: 1 })
})

test('skipped tests are a note for a developer and a failure in the CI', () => {
  vi.stubEnv('CI', '')
  expect(counted(3, 0, 2, 0, '')).toEqual({ passed: 3, failed: 0, note: '2 skipped' })
  expect(unavailable('no Chromium')).toEqual({ passed: 0, failed: 0, note: 'skipped: no Chromium' })

  vi.stubEnv('CI', 'true')
  expect(counted(3, 0, 2, 0, '')).toMatchObject({ passed: 3, failed: 2 })
  expect(unavailable('no Chromium')).toMatchObject({ passed: 0, failed: 1 })
})

test('every step runs and is counted, also after one that throws; lines come in the order of the list', async () => {
  const written: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  vi.spyOn(console, 'log').mockImplementation(() => undefined)

  const total = await runSteps(
    [
      step('slow', () => new Promise((done) => setTimeout(() => done({ passed: 2, failed: 0 }), 30))),
      step('broken', () => Promise.reject(new Error('boom'))),
      step('quick', () => Promise.resolve({ passed: 1, failed: 1 })),
    ],
    2,
  )

  expect(total).toEqual({ passed: 3, failed: 2 })
  expect(written.map((text) => text.trim())).toEqual(['slow', 'broken', 'quick'])
})
