import type { Outcome, Step } from './outcome'
import { tool } from './tool'

export const checks: Step[] = [
  check('format', 'oxfmt', ['--check']),
  // One program reads the sources for both; checking types alone takes as long.
  check('lint, types', 'oxlint', ['--type-check']),
  check('law', 'tsx', ['scripts/law.ts']),
  check('dead code', 'knip', ['--no-progress']),
  check('openapi', 'tsx', ['scripts/openapi.ts', '--check']),
]

export const buildStep = check('build', 'node', ['scripts/build.mjs', '--if-changed'])

function check(name: string, command: string, args: readonly string[] = []): Step {
  return {
    name,
    async run(): Promise<Outcome> {
      const { code, output, cpuSeconds } = await tool(command, args)
      return code === 0
        ? { passed: 1, failed: 0, cpuSeconds }
        : { passed: 0, failed: 1, cpuSeconds, details: output }
    },
  }
}
