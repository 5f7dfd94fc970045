import { DAY_MS } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import type { Bucket } from '../../data/bucket/bucket'
import { BucketError } from '../../data/bucket/bucket-error'
import { TRIAL } from '../../data/bucket/bucket-choice'
import type { MirroredRecord } from '../../data/records/file-records'

/** Objects younger than this may belong to a copy that is just being completed, in ms. */
const ORPHAN_MS = 3_600_000

interface Needs {
  now: Date
  log: Pick<Log, 'info'>
  bucket: Pick<Bucket, 'head' | 'remove' | 'abandon' | 'list' | 'unfinished'>
  /** Whether a record, or a file that waits for its copy, wants an object. */
  wants: (blobId: string) => boolean
  find: (blobId: string) => Pick<MirroredRecord, 'uploadId'> | undefined
  /** Marks the copies of this host. */
  owner: () => string
  signal: AbortSignal
}

/**
 * Deletes objects that no record wants, and ends uploads that were never completed. It touches only what this host
 * made, because a prefix may be empty, and the bucket may hold other things or the copies of another host. Throws BucketError.
 */
export async function tidyBucket(needs: Needs): Promise<void> {
  try {
    const deleted = await deleteOrphans(needs)
    const ended = await endUploads(needs)
    if (deleted + ended > 0) needs.log.info({ deleted, ended }, 'Deleted leftovers from the bucket.')
  } catch (error) {
    // Downloads do not need the permission to list, so they continue without it.
    if (!(error instanceof BucketError) || !['no_permission', 'rejected'].includes(error.kind)) throw error
    const why = error.kind === 'rejected' ? 'The store did not list the bucket' : 'The key may not list the bucket'
    needs.log.info({ detail: error.detail }, `${why}, so leftovers stay there.`)
  }
}

async function deleteOrphans({ now, bucket, wants, owner, signal }: Needs): Promise<number> {
  let deleted = 0
  for await (const { blobId, at } of bucket.list()) {
    if (signal.aborted) break
    if (wants(blobId) || now.getTime() - at.getTime() < ORPHAN_MS) continue
    const found = await bucket.head(blobId, signal)
    if (found?.owner === undefined || ![owner(), TRIAL].includes(found.owner) || wants(blobId)) continue
    await bucket.remove(blobId)
    deleted++
  }
  return deleted
}

async function endUploads({ now, bucket, find, signal }: Needs): Promise<number> {
  let ended = 0
  for await (const { blobId, uploadId, at } of bucket.unfinished()) {
    if (signal.aborted) break
    if (now.getTime() - at.getTime() < DAY_MS) continue
    if (find(blobId)?.uploadId === uploadId) continue
    await bucket.abandon(blobId, uploadId)
    ended++
  }
  return ended
}
