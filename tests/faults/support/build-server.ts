import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { serverBundle } from '../../../scripts/build/node-bundles'

const VARIABLE = 'SLIPWAY_TEST_SERVER'

/** The folder with the built server; tests find it in their environment. */
export const built = (): string => process.env[VARIABLE] ?? ''

/**
 * The server as it ships, built once for all tests that run it in a process of its own: it starts much faster than from
 * source. Each run has a folder of its own, so that two runs do not take it away from each other.
 */
export default async function buildServer(): Promise<(() => Promise<void>) | undefined> {
  if (built() !== '') return undefined
  const outDir = join(import.meta.dirname, '../../../test-results', `server-${process.pid}`)
  await build({ ...serverBundle, build: { ...serverBundle.build, outDir } })
  process.env[VARIABLE] = outDir
  // Hides warnings of hosts about their folders from the output of the run.
  process.env['XDG_STATE_HOME'] = join(outDir, 'state')
  return () => rm(outDir, { recursive: true, force: true })
}
