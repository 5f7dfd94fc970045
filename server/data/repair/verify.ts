import { createHash } from 'node:crypto'
import type { LibraryData } from '../library/library-data'
import { readLibrary, type LibrarySnapshot } from '../library/read-library'
import { isBlobId } from '../blobs/blob-names'
import {
  describeDamage,
  DIFFERS,
  MISSING,
  wrongSize,
  type DamagedBlob,
} from '../blobs/damaged-blobs'
import { DiskBackend } from '../blobs/disk-backend'
import type { StoredBlobs } from '../blobs/stored-blobs'
import { hashSource } from '../copy-files'
import { takeOutInvalid } from './check-records'
import { inconsistencies } from './consistency'
import { hasSidecars, promisedBlobs, recordsOf, type PromisedBlob } from './records'
import { formatFiles, formatQuantity } from '../../texts/format'

export interface Verdict {
  users: number
  projects: number
  files: number
  bytes: number
  trashed: number
  /** Blobs without a record: left by a crash, and cleaned up by the next start. */
  orphans: number
  /** Blobs that are missing, or have other bytes than were uploaded. */
  damaged: DamagedBlob[]
  /** A digest of all records: equal for libraries with equal content. */
  digest: string
  problems: string[]
}

export interface VerifyOptions {
  /** Whether to read and hash every byte. */
  readData: boolean
  /** Reads the library of the folder, where it is not in it. */
  read?: ((dir: string) => Promise<Pick<LibrarySnapshot, 'data'>>) | undefined
  /** The bytes, where they are in no folder. */
  blobs?: StoredBlobs | undefined
}

/**
 * Checks a data folder or a backup without changing it: the library is intact and consistent, and
 * every blob exists; with `readData`, every blob has its original content. Throws
 * LibraryDamagedError.
 */
export async function verify(
  dir: string,
  { readData, read = readLibrary, blobs = DiskBackend.in(dir) }: VerifyOptions,
): Promise<Verdict> {
  const { data } = await read(dir)

  const digest = digestOf(data)
  const problems = takeOutInvalid(data)
  const records = recordsOf(data)
  problems.push(...inconsistencies(records))

  const damaged: DamagedBlob[] = []
  const promised = new Set<string>()
  const listed = await blobs.list?.()
  for (const blob of promisedBlobs(records)) {
    promised.add(blob.blobId)
    const problem = await checkBlob(blobs, blob, { readData, size: listed?.get(blob.blobId)?.size })
    if (problem !== undefined) damaged.push(describeDamage(blob, problem))
    else if (readData && !(await hasSidecars(blobs, blob)))
      problems.push(describeDamage(blob, NO_SIDECARS).problem)
  }
  problems.push(...damaged.map(({ problem }) => problem))

  let orphans = 0
  const stored = listed ? [...listed.keys()].filter(isBlobId) : blobs.ids()
  for await (const blobId of stored) if (!promised.has(blobId)) orphans++

  const { users, projects, files, trash } = records
  const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0)
  const sizes = {
    users: users.size,
    projects: projects.size,
    files: files.size,
    bytes,
    trashed: trash.size,
  }
  return { ...sizes, orphans, damaged, digest, problems }
}

/** `size`: stored size, if it is already known. */
async function checkBlob(
  blobs: StoredBlobs,
  blob: PromisedBlob,
  { readData, size }: { readData: boolean; size: number | undefined },
): Promise<string | undefined> {
  const stored = size ?? (await blobs.find(blob.blobId).catch(() => undefined))?.size
  if (stored === undefined) return MISSING
  if (stored !== blob.size) return wrongSize(stored, blob.size)
  if (!readData) return undefined

  const sha256 = await blobs.open(blob.blobId).then(hashSource, () => undefined)
  return sha256 === blob.sha256 ? undefined : DIFFERS
}

const NO_SIDECARS = 'its facts, icon or block map are missing or damaged'

/** A digest that is equal for equal content, in any order of insertion. */
export function digestOf({ collections, counters }: LibraryData): string {
  const hash = createHash('sha256')
  for (const [name, records] of [...Object.entries(collections), ['counters', counters] as const]) {
    for (const id of [...records.keys()].sort())
      hash.update(`${JSON.stringify([name, id, records.get(id)])}\n`)
  }
  return hash.digest('hex')
}

/** The output of `slipway verify`. */
export function describeVerdict(verdict: Verdict): string {
  const { users, projects, files, bytes, trashed, orphans, digest, problems } = verdict
  const counts =
    `${formatQuantity(users, 'user')}, ${formatQuantity(projects, 'project')}, ` +
    `${formatFiles(files)} (${bytes} bytes), ${trashed} in the trash`
  const leftOver = `${formatQuantity(orphans, 'blob')} without a record`
  const end =
    problems.length === 0
      ? 'No problems found.'
      : `${formatQuantity(problems.length, 'problem')} found.`
  return [counts, leftOver, `digest ${digest}`, ...problems, end].join('\n')
}
