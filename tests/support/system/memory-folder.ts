import { existsSync, statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { MEMORY, runPrefix } from '../../../scripts/test/memory'
import { MARK } from '../../../scripts/test/run-processes'

/** Containers often have 64 MB only. */
const LEAST_BYTES = 4 * 1024 ** 3

/** Whether Linux offers a folder in memory that has room for our tests. */
function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= LEAST_BYTES
}

/**
 * Keeps the temporary folders of a project in memory where it can, because each change of the
 * library waits for the disk. Removes what the tests leave.
 */
export default async function setup({ config }: TestProject): Promise<() => Promise<void>> {
  const prefix = runPrefix(process.env[MARK] ?? process.pid)
  const folder = await mkdtemp(join(hasMemory() ? MEMORY : tmpdir(), prefix))
  config.env = { ...config.env, TMPDIR: folder }
  return () => rm(folder, { recursive: true, force: true })
}
