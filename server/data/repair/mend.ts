import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sidecarNames } from '../blobs/blob-names'
import { DiskBackend } from '../blobs/disk-backend'
import { replaceFile, syncDir, unlessMissing } from '../../core/durable-file'
import { requireOwnLibrary } from '../library/library-place'
import { writeFreshLibrary } from '../library/fresh-library'
import { readFork, type Branch } from '../library/journal/fork'
import { listLibrary, nextGeneration } from '../library/journal/library-files'
import type { LibraryData } from '../library/library-data'
import { takeOutInvalid } from './check-records'
import { linkOrCopy } from '../copy-files'
import { describeDropped, droppedFrom } from './dropped'
import { promisedBlobs, recordsOf } from './records'

/** The plan for mending a forked library. */
export interface MendPlan {
  longerBranch: Branch
  blobIds: string[]
  /** Summary of the dropped records; `whole` lists all of them. */
  summary: string
  whole: string
}

/**
 * Compares the branches of a forked library. Throws LibraryDamagedError; Error if not forked or
 * invalid.
 */
export async function planMend(dir: string): Promise<MendPlan> {
  await requireOwnLibrary(dir)
  const fork = await readFork(dir, await listLibrary(dir))
  if (fork === undefined)
    throw new Error(`The library in ${dir} is not forked: there is nothing to mend`)

  const [older, newer] = fork.branches
  const [longerBranch, cut] = older.changes >= newer.changes ? [older, newer] : [newer, older]

  const [problem] = takeOutInvalid(longerBranch.data)
  if (problem !== undefined) throw new Error(`Cannot mend the library in ${dir}: ${problem}`)
  takeOutInvalid(cut.data)

  const dropped = droppedFrom(cut.data, fork.common, longerBranch.data)
  const head = [
    `Two hosts wrote to this library after transaction ${fork.after}.`,
    `Kept: the branch with ${longerBranch.changes} changes. Dropped: the branch with ` +
      `${cut.changes} changes:`,
  ]

  const textOf = (lines: readonly string[]) =>
    [...head, ...(lines.length === 0 ? ['  nothing'] : lines)].join('\n')

  return {
    longerBranch,
    blobIds: [...blobsOf(cut.data)].filter((blobId) => !blobsOf(longerBranch.data).has(blobId)),
    summary: textOf(describeDropped(dropped)),
    whole: textOf(describeDropped(dropped, Infinity)),
  }
}

const blobsOf = (data: LibraryData): Set<string> =>
  new Set([...promisedBlobs(recordsOf(data))].map(({ blobId }) => blobId))

/**
 * Keeps the longer branch. Saves the old library and all that is dropped in a folder, which it
 * returns.
 */
export async function mend(dir: string, plan: MendPlan, now: Date): Promise<string> {
  const copy = join(dir, `before-mend-${now.toISOString().replaceAll(':', '-')}`)
  await mkdir(join(copy, 'blobs'), { recursive: true, mode: 0o700 })

  const old = (await readdir(dir)).filter((name) => name.startsWith('library.'))
  for (const name of old) await linkOrCopy(join(dir, name), join(copy, name))
  for (const blobId of plan.blobIds) await keepBlob(dir, copy, blobId)

  await replaceFile(join(copy, 'dropped.txt'), `${plan.whole}\n`)
  await syncDir(join(copy, 'blobs'))
  await syncDir(dir)

  const generation = nextGeneration(await listLibrary(dir))
  // The last step of this activates the new library.
  await writeFreshLibrary(dir, {
    data: plan.longerBranch.data,
    generation,
    sequence: plan.longerBranch.sequence,
  })

  for (const name of old) await rm(join(dir, name), { force: true })
  await syncDir(dir)
  return copy
}

/** The next start sets the original aside and deletes it after a week; this copy stays. */
async function keepBlob(dir: string, copy: string, blobId: string): Promise<void> {
  const from = DiskBackend.in(dir)
  const to = DiskBackend.in(copy)
  const shard = dirname(to.pathOf(blobId))
  await mkdir(shard, { recursive: true, mode: 0o700 })
  for (const name of [blobId, ...sidecarNames.map((it) => `${blobId}.${it}`)])
    await unlessMissing(linkOrCopy(from.pathOf(name), to.pathOf(name)))
  await syncDir(shard)
}
