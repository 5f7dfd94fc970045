import type { ByteSource } from '../../../core/byte-source'
import type { Bucket } from '../../../data/bucket/copies/bucket'
import type { Source } from '../../../data/bucket/copies/copy'
import { PART_BYTES } from '../../../data/bucket/multipart-writer'
import type { FileRecord } from '../../../data/records/file-records'
import type { CopyStore } from '../copy-store'
import type { Health } from '../health'
import type { BucketUsage } from '../usage'
import type { CopyPace } from './copy-pace'

/** What copying a file needs of the rest of the host. */
export interface CopyFileDeps {
  store: CopyStore
  usage: Pick<BucketUsage, 'copied'>
  pace: CopyPace
  health: Pick<Health, 'worked'>
  open: (blobId: string) => Promise<ByteSource>
  /**
   * Copies a blob inside the bucket that is set up now, if that is where it is; undefined: it is
   * elsewhere.
   */
  copyInside?: ((blob: Pick<FileRecord, 'blobId' | 'size'>) => Source['copyInside']) | undefined
  /** Marks the copies as those of this host. */
  owner: () => string
}

interface Task {
  file: FileRecord
  bucket: Pick<Bucket, 'copy'>
  place: string
  signal: AbortSignal
  /** How many bytes the bucket has. */
  onSent: (sent: number) => void
}

/**
 * Copies a file to the bucket, and records each part, so that a restart resumes. Throws
 * DamagedError, BucketError, or the reason of the signal.
 */
export async function copyFile(deps: CopyFileDeps, task: Task): Promise<void> {
  const { store, usage, pace, open, copyInside, owner, health } = deps
  const { file, bucket, place, signal } = task
  const { blobId, size, sha256, filename } = file

  const record = await store.begin({ ...file, fileId: file.id }, place)
  if (record === undefined) return

  const { uploadId, parts } = record
  const state = { ...(uploadId === null ? {} : { uploadId }), parts }
  let sentBefore = Math.min(parts.length * PART_BYTES, size)
  task.onSent(sentBefore)

  const own = pace.begin(blobId, signal)
  signal.addEventListener('abort', own.end)
  try {
    const type = 'application/octet-stream'
    const about = { blobId, size, sha256, filename, type, owner: owner() }
    const source = { ...about, open: () => open(blobId), copyInside: copyInside?.(file) }

    const { etag } = await bucket.copy(source, state, {
      signal,
      pace: own.take,
      hasVisitors: pace.hasVisitors,
      onPart: async (now, sent) => {
        if (signal.aborted) return

        const sentEarlier = Math.max(sentBefore, (now.parts.length - 1) * PART_BYTES)
        usage.copied(Math.max(0, sent - sentEarlier))
        sentBefore = sent
        task.onSent(sent)

        await store.keepParts(blobId, now.uploadId ?? null, now.parts)
        health.worked()
      },
    })

    if (!signal.aborted) await store.finish(blobId, etag)
    health.worked()
  } finally {
    own.end()
  }
}
