import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { serverBundle } from '../../../scripts/build/node-bundles'

export const BUILT = join(import.meta.dirname, '../../../test-results/faults-server')

/** The server as it ships, built once for all fault tests: it starts much faster than from source. */
export default async function buildServer(): Promise<() => Promise<void>> {
  await build({ ...serverBundle, build: { ...serverBundle.build, outDir: BUILT } })
  return () => rm(BUILT, { recursive: true, force: true })
}
