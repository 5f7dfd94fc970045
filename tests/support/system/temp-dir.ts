import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of its own for one test. */
export async function tempDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-test-'))
  // A host that has just stopped may still write its last record.
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }))
  return dir
}
