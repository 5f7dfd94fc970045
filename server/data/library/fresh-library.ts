import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { realDisk } from '../../core/durable-file'
import { listLibrary, logName, removeOlderThan, snapshotName } from './journal/library-files'
import { LogFile } from './journal/log-file'
import { opsOf, writeSnapshot } from './journal/snapshot'
import type { LibraryData } from './library-data'
import type { LibraryCut } from './read-library'
import { SCHEMA } from './schema'

/**
 * Writes a library as one snapshot and an empty log. `generation` must be above those of existing files; the final
 * rename of the snapshot activates the new library. Returns the two names.
 */
export async function writeFreshLibrary(dir: string, { data, generation, sequence }: LibraryCut): Promise<string[]> {
  const names = [logName(generation), snapshotName(generation)]
  for (const name of names) await rm(join(dir, `${name}.tmp`), { force: true })
  const log = await LogFile.draft(dir, generation, realDisk)
  try {
    await log.begin(sequence + 1, ['begin', generation, SCHEMA])
  } finally {
    await log.close()
  }
  const header = { schema: SCHEMA, generation, sequence }
  await writeSnapshot(join(dir, snapshotName(generation)), header, opsOf(data), async () => sequence, realDisk)
  return names
}

/** Writes a library in place of the one in the folder, if there is one. */
export async function replaceLibrary(dir: string, data: LibraryData, sequence: number): Promise<void> {
  const { logs, snapshots } = await listLibrary(dir)
  const generation = Math.max(0, ...logs, ...snapshots) + 1
  await writeFreshLibrary(dir, { data, generation, sequence })
  await removeOlderThan(dir, generation)
}

/** Removes the library in the folder, which is elsewhere. */
export const removeLibrary = (dir: string): Promise<void> => removeOlderThan(dir, Infinity)
