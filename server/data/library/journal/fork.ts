import { join } from 'node:path'
import type { LibraryData } from '../library-data'
import { LibraryForkedError } from '../library-errors'
import { MIGRATIONS, SCHEMA } from '../schema'
import { logName, type LibraryFiles } from './library-files'
import { migrate } from './migrations'
import { findBase, type Base, type Recovered } from './recovery'
import { Replay } from './replay'

/** The library of one of two concurrent writers. */
export type Branch = Pick<Recovered, 'data' | 'changes' | 'sequence'>

export interface Fork {
  /** The last transaction that both branches share. */
  after: number
  common: LibraryData
  /** The branch in the older logs, and the branch from the overlapping log on. */
  branches: readonly [Branch, Branch]
}

/**
 * Reads both branches of a forked library. Undefined if it is not forked. Throws
 * LibraryDamagedError.
 */
export async function readFork(dir: string, files: LibraryFiles): Promise<Fork | undefined> {
  const error = await findFork(dir, files)
  if (error === undefined) return undefined

  const after = error.first - 1
  const older = files.logs.filter((n) => n < error.generation)
  const newer = files.logs.filter((n) => n >= error.generation)

  const base = () => baseUpTo(dir, files, after)
  const common = await replayFrom(dir, await base(), older, after)
  const first = await replayFrom(dir, await base(), older)
  const second = await replayFrom(dir, await base(), older, after)

  second.upTo = Infinity
  await replayLogs(dir, second, newer)

  const branchOf = (branch: Replay): Branch => ({
    data: migrateReplay(branch),
    changes: branch.changes - common.changes,
    sequence: branch.sequence,
  })
  return { after, branches: [branchOf(first), branchOf(second)], common: migrateReplay(common) }
}

async function findFork(dir: string, files: LibraryFiles): Promise<LibraryForkedError | undefined> {
  try {
    const base = await findBase(dir, files, SCHEMA)
    await replayFrom(
      dir,
      base,
      files.logs.filter((generation) => generation >= base.base),
    )
    return undefined
  } catch (error) {
    if (error instanceof LibraryForkedError) return error
    throw error
  }
}

async function baseUpTo(dir: string, files: LibraryFiles, last: number): Promise<Base> {
  let { snapshots } = files
  for (;;) {
    const base = await findBase(dir, { ...files, snapshots }, SCHEMA)
    if (base.until <= last) return base
    snapshots = snapshots.filter((generation) => generation < base.base)
  }
}

async function replayFrom(
  dir: string,
  base: Base,
  logs: readonly number[],
  upTo = Infinity,
): Promise<Replay> {
  const replay = new Replay(base, SCHEMA, MIGRATIONS)
  replay.upTo = upTo
  await replayLogs(
    dir,
    replay,
    logs.filter((generation) => generation >= base.base),
  )
  return replay
}

/** Each branch may end in a partial line after a crash. */
async function replayLogs(dir: string, replay: Replay, logs: readonly number[]): Promise<void> {
  for (const generation of logs) await replay.log(join(dir, logName(generation)), generation, true)
}

function migrateReplay({ data, schema }: Replay): LibraryData {
  migrate(data, schema, SCHEMA, MIGRATIONS)
  return data
}
