import { setTimeout as pause } from 'node:timers/promises'
import type { Bucket } from '../../../data/bucket/copies/bucket'

/**
 * The bucket may complete a copy that was stopped a moment ago: it is looked at again after this
 * time, in ms.
 */
const LATE_MS = 2000

interface Task {
  blobId: string
  uploadId: string | null | undefined
  /** The end of copying, where a copy was on its way. */
  copied: Promise<void> | undefined
  signal: AbortSignal
}

/** Deletes a copy and what is left of its upload. Throws BucketError. */
export async function deleteCopy(
  bucket: Pick<Bucket, 'remove' | 'abandon' | 'head' | 'unfinished'>,
  { blobId, uploadId, copied, signal }: Task,
): Promise<void> {
  if (uploadId) await bucket.abandon(blobId, uploadId)
  await bucket.remove(blobId)
  if (copied === undefined) return

  await pause(LATE_MS, undefined, { signal, ref: false })
  if (await bucket.head(blobId)) await bucket.remove(blobId)
  // Its upload may have begun without an answer. A key that may not list leaves it to the
  // provider's rules.
  await endUploads(blobId, bucket).catch(() => undefined)
}

async function endUploads(
  blobId: string,
  bucket: Pick<Bucket, 'abandon' | 'unfinished'>,
): Promise<void> {
  for await (const upload of bucket.unfinished()) {
    if (upload.blobId === blobId) await bucket.abandon(blobId, upload.uploadId)
  }
}
