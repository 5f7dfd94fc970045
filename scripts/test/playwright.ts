import { readFile, rm } from 'node:fs/promises'
import { counted, type Outcome } from './outcome'
import { tool } from './tool'

/** The part of Playwright's JSON report that we read. */
interface Report {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

const nothing: Report = { stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 } }

/** Runs one project of playwright.config.ts; `env` says where the browser, Electron and the display are. */
export async function playwright(project: string, env: Record<string, string>): Promise<Outcome> {
  const file = `test-results/${project}.json`
  await rm(file, { force: true })
  // Playwright sets FORCE_COLOR for its workers; beside NO_COLOR every Node that a test starts would warn about it.
  const reporting = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, NO_COLOR: undefined }
  const { code, output } = await tool('playwright', ['test', '--project', project, '--reporter=dot,json'], {
    ...env,
    ...reporting,
  })
  const report = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => nothing,
  )
  const { expected, unexpected, flaky, skipped } = report.stats
  const outcome = counted(expected + flaky, unexpected, skipped, code, output)
  // A retry (playwright.config.ts) keeps the count, and never keeps quiet.
  return flaky > 0 ? { ...outcome, note: `${flaky} passed at the second try only`, details: output } : outcome
}
