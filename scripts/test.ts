import { mkdir } from 'node:fs/promises'
import { buildStep, checks } from './test/checks'
import type { Outcome } from './test/outcome'
import { desktop, ui } from './test/pages'
import { runSteps } from './test/run-steps'
import { vitest } from './test/vitest'

/** `npm test` runs everything; `--fast` (`npm run check`) what needs neither a build nor a browser nor patience. */
const fast = process.argv.includes('--fast')

await mkdir('test-results', { recursive: true })
const outcomes = [await runSteps(checks, 2), await runSteps([vitest('unit'), vitest('api')])]
if (!fast) outcomes.push(await runSteps([vitest('faults')]), ...(await runOnTheBuild()))

const sum = (count: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + count(outcome), 0)
const passed = sum((outcome) => outcome.passed)
const failed = sum((outcome) => outcome.failed)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

/** Without a build there is nothing to open; each suite then counts as failed. */
async function runOnTheBuild(): Promise<Outcome[]> {
  const built = await runSteps([buildStep])
  const notBuilt = async () => ({ passed: 0, failed: 1, note: 'not run: the build failed' })
  const suites = built.failed > 0 ? [ui, desktop].map(({ name }) => ({ name, run: notBuilt })) : [ui, desktop]
  return [built, await runSteps(suites)]
}
