import { join } from 'node:path'
import { emptyLibrary, type LibraryData } from '../library-data'
import { LibraryDamagedError, LibraryTooNewError } from '../library-errors'
import { logName, snapshotName, type LibraryFiles } from './library-files'
import { findCopy, type Migrations } from './migrations'
import { Replay } from './replay'
import { readSnapshot } from './snapshot'

export interface Recovered {
  data: LibraryData
  schema: number
  sequence: number
  changes: number
  generation: number
  /** The snapshot that recovery started from, or the first log. */
  base: number
  /** The partial last line of the newest log after a crash: what to cut the log to. */
  torn: { path: string; length: number } | undefined
  logBytes: number
  snapshotBytes: number
  damaged: string[]
}

export interface Base extends Omit<Recovered, 'changes' | 'generation' | 'torn' | 'logBytes'> {
  until: number
}

/**
 * Reads a whole library, read-only. Throws LibraryDamagedError for anything it cannot verify, and
 * LibraryTooNewError.
 */
export async function recover(
  dir: string,
  files: LibraryFiles,
  schema: number,
  migrations: Migrations,
): Promise<Recovered> {
  try {
    return await recoverFrom(dir, files, schema, migrations)
  } catch (error) {
    if (!(error instanceof LibraryTooNewError)) throw error
    throw new LibraryTooNewError(error.file, error.schema, await findCopy(dir, schema))
  }
}

async function recoverFrom(
  dir: string,
  files: LibraryFiles,
  schema: number,
  migrations: Migrations,
): Promise<Recovered> {
  const base = await findBase(dir, files, schema)
  const newest = Math.max(base.base, ...files.logs, ...files.snapshots)

  for (let generation = base.base; generation <= newest; generation++) {
    if (!files.logs.includes(generation))
      throw new LibraryDamagedError(join(dir, logName(generation)), 'is missing')
  }

  const replay = new Replay(base, schema, migrations)
  for (let generation = base.base; generation <= newest; generation++) {
    await replay.log(join(dir, logName(generation)), generation, generation === newest)
  }

  if (replay.sequence < base.until) {
    throw new LibraryDamagedError(
      join(dir, logName(newest)),
      'lacks transactions that a snapshot contains',
    )
  }

  const { sequence, torn, bytes, changes } = replay
  return {
    ...base,
    schema: replay.schema,
    sequence,
    changes,
    generation: newest,
    torn,
    logBytes: bytes,
  }
}

/** The newest intact snapshot; else the very first log, which starts empty. */
export async function findBase(dir: string, files: LibraryFiles, schema: number): Promise<Base> {
  const damaged: string[] = []
  for (const generation of files.snapshots.toReversed()) {
    const path = join(dir, snapshotName(generation))
    const snapshot = await readSnapshot(path, schema)
    if (snapshot === undefined || snapshot.generation !== generation) damaged.push(path)
    else return { ...snapshot, base: generation, snapshotBytes: snapshot.bytes, damaged }
  }

  if (files.logs[0] === 1) {
    return {
      data: emptyLibrary(),
      schema: 0,
      sequence: 0,
      until: 0,
      base: 1,
      snapshotBytes: 0,
      damaged,
    }
  }

  if (damaged[0] !== undefined)
    throw new LibraryDamagedError(damaged[0], 'is damaged, and so is every older snapshot')
  const orphan =
    files.logs[0] === undefined ? (files.drafts[0] ?? files.strangers[0]) : logName(files.logs[0])
  throw new LibraryDamagedError(
    join(dir, orphan ?? 'library'),
    'exists, but the file that it builds on is missing',
  )
}
