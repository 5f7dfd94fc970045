import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { realDisk } from '../../core/durable-file'
import {
  listLibrary,
  logName,
  nextGeneration,
  removeOlderThan,
  snapshotName,
} from './journal/library-files'
import { LogFile } from './journal/log-file'
import { opsOf, writeSnapshot } from './journal/snapshot'
import type { LibraryData } from './library-data'
import type { LibrarySnapshot } from './read-library'
import { SCHEMA } from './schema'

/**
 * Writes a library as one snapshot and an empty log. `generation` must be above those of existing
 * files; the final rename of the snapshot activates the new library. The log gets its name only
 * just before, so that a full disk leaves drafts at most. Returns the two names.
 */
export async function writeFreshLibrary(
  dir: string,
  { data, generation, sequence }: LibrarySnapshot,
): Promise<string[]> {
  const names = [logName(generation), snapshotName(generation)]
  for (const name of names) await rm(join(dir, `${name}.tmp`), { force: true })

  const header = { schema: SCHEMA, generation, sequence }
  const settle = async () => {
    await writeLog(dir, header)
    return sequence
  }

  await writeSnapshot(join(dir, snapshotName(generation)), header, opsOf(data), settle, realDisk)
  return names
}

async function writeLog(dir: string, { generation, sequence }: Omit<LibrarySnapshot, 'data'>) {
  const log = await LogFile.draft(dir, generation, realDisk)
  try {
    await log.begin(sequence + 1, ['begin', generation, SCHEMA])
  } finally {
    await log.close()
  }
}

/** Writes a library in place of the one in the folder, if there is one. */
export async function replaceLibrary(
  dir: string,
  data: LibraryData,
  sequence: number,
): Promise<void> {
  const generation = nextGeneration(await listLibrary(dir))
  await writeFreshLibrary(dir, { data, generation, sequence })
  await removeOlderThan(dir, generation)
}

/** Removes the library in the folder, which is elsewhere. */
export const removeLibrary = (dir: string): Promise<void> => removeOlderThan(dir, Infinity)
