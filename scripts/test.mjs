import { findElectron } from './bootstrap/electron.mjs'
import { install } from './bootstrap/install.mjs'
import { main } from './bootstrap/main.mjs'
import { environment, findNode } from './bootstrap/node.mjs'
import { root } from './bootstrap/root.mjs'
import { run } from './bootstrap/run.mjs'

/**
 * `npm test`, `npm run check` and the longer runs: installs missing packages, then runs
 * scripts/test.ts under Node 24.
 */
await main(async () => {
  const args = process.argv.slice(2)
  await install().catch((cause) => {
    console.error(cause.message)
    throw new Error('0 passed, 1 failed')
  })
  const env = environment()
  const names = args.filter((arg) => !arg.startsWith('-'))
  const opensWindows = !args.includes('--fast') && (names.length === 0 || names.includes('desktop'))
  const { path } = opensWindows ? await findElectron() : {}
  if (path) env.SLIPWAY_ELECTRON = path
  // More rounds, and the files *.full.{test,spec}.ts.
  if (args.includes('--full')) env.FAULTS = 'full'
  // Not by the command `tsx`, which kills a program that does not react to a signal within
  // milliseconds.
  return run(findNode(), ['--import', 'tsx', 'scripts/test.ts', ...args], { cwd: root, env })
})
