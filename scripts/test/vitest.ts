import { readFile, rm } from 'node:fs/promises'
import { counted, type Outcome, type Step } from './outcome'
import { tool } from './tool'

/** The part of Vitest's JSON report that we read. */
interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
}

const nothing: Report = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }

/** One project of vitest.config.ts. */
export function vitest(project: string): Step {
  return { name: project, run: () => runProject(project) }
}

async function runProject(project: string): Promise<Outcome> {
  const file = `test-results/${project}.json`
  await rm(file, { force: true })
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]
  const { code, output } = await tool('vitest', ['run', '--project', project, ...reporters], { NO_COLOR: '1' })
  const report = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Report,
    () => nothing,
  )
  const skipped = report.numPendingTests + report.numTodoTests
  return counted(report.numPassedTests, report.numFailedTests, skipped, code, output)
}
