import { mkdir } from 'node:fs/promises'
import { buildStep, checks } from './test/checks'
import type { Outcome, Step } from './test/outcome'
import { desktop, ui } from './test/pages'
import { runSteps } from './test/run-steps'
import { vitest } from './test/vitest'

/**
 * `npm test` runs everything; `--fast` (`npm run check`) what needs neither a build nor a browser nor patience; names
 * of steps (`npm test -- api desktop`) only those.
 */
const args = process.argv.slice(2)
const fast = args.includes('--fast')
const names = args.filter((arg) => !arg.startsWith('-'))
const chosen = (...steps: Step[]) => steps.filter(({ name }) => names.length === 0 || names.includes(name))

await mkdir('test-results', { recursive: true })
const outcomes = [await runSteps(chosen(...checks), 2), await runSteps(chosen(vitest('unit'), vitest('api')))]
if (!fast) {
  outcomes.push(await runSteps(chosen(vitest('security'), vitest('faults'))))
  outcomes.push(...(await runOnTheBuild(chosen(ui, desktop))))
}

const sum = (count: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + count(outcome), 0)
const passed = sum((outcome) => outcome.passed)
const failed = sum((outcome) => outcome.failed)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

/** Without a build there is nothing to open; each suite then counts as failed. */
async function runOnTheBuild(suites: Step[]): Promise<Outcome[]> {
  if (suites.length === 0) return []
  const built = await runSteps([buildStep])
  const notBuilt = async () => ({ passed: 0, failed: 1, note: 'not run: the build failed' })
  return [built, await runSteps(built.failed > 0 ? suites.map(({ name }) => ({ name, run: notBuilt })) : suites)]
}
