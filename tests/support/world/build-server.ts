import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { packCommand } from '../../../scripts/build/command-package'
import { commandBundle, serverBundle } from '../../../scripts/build/node-bundles'
import { runPrefix } from '../../../scripts/test/memory'
import { MARK } from '../../../scripts/test/run-processes'

const VARIABLE = 'SLIPWAY_TEST_SERVER'

/**
 * The server as it ships, built once for all tests that run it in a process of its own: it starts
 * much faster than from source. Each run has a folder of its own, so that two runs do not take it
 * away from each other; `npm test` names the one of its build.
 */
export default async function buildServer(): Promise<() => Promise<void>> {
  const run = process.env[MARK] ?? process.pid
  const folder = join(
    import.meta.dirname,
    '../../../test-results',
    `${runPrefix(run)}server-${process.pid}`,
  )
  // Hides warnings of hosts about their folders from the output of the run.
  process.env['XDG_STATE_HOME'] = join(folder, 'state')
  if (process.env[VARIABLE] === undefined) await buildInto(folder)
  return () => rm(folder, { recursive: true, force: true })
}

async function buildInto(folder: string): Promise<void> {
  const outDir = join(folder, 'server')
  const own = process.env['NODE_ENV']
  // As for `npm run build`: otherwise pages are built for developers, and fail.
  process.env['NODE_ENV'] = 'production'
  await build({ ...serverBundle, build: { ...serverBundle.build, outDir } })
  await build({ ...commandBundle, build: { ...commandBundle.build, outDir: join(folder, 'cli') } })
  process.env['NODE_ENV'] = own
  await mkdir(join(folder, 'renderer'))
  await packCommand(join(folder, 'cli/cli.mjs'), join(folder, 'renderer'))
  await cp('.github/actions/preview/action.yml', join(folder, 'renderer/guide/preview-action.yml'))
  process.env[VARIABLE] = outDir
}
