import { pipeline } from 'node:stream/promises'
import type { Files } from '../../compose/files'
import type { BlobDraft } from '../../data/blobs/drafts'
import type { BlobStore } from '../../data/blobs/blob-store'
import { openLocalFile, unreadable, type LocalFile, type OpenFile } from './local-file'
import type { Publication, UploadClaims } from '../files/publish'

const CHUNK_BYTES = 1024 * 1024

interface Deps {
  /** Their files are never published. */
  dataDir: string
  blobs: BlobStore
  files: Pick<Files, 'publishing' | 'quota'>
}

export interface LocalOptions {
  /** The account whose quota is reserved. */
  payerId: string
  /** Cancels without leaving anything behind. */
  signal: AbortSignal
  /** Reports bytes copied. After the last one, the digest is computed and the record is saved. */
  onProgress?: (bytes: number, size: number) => void
}

/**
 * Publishes a local file by cloning or copying it, in the order of all uploads: reserves quota and
 * disk, copies and hashes the bytes, then publishes the draft. Keeps the source. Throws AppError
 * (`precondition_failed` if the file changed during the copy), and the signal's reason.
 */
export function publishLocalFiles({ dataDir, blobs, files: { publishing, quota } }: Deps) {
  return async <T>(
    source: LocalFile,
    metadata: Omit<UploadClaims, 'ownerId'>,
    { payerId, signal, onProgress }: LocalOptions,
    publication: Publication<T>,
  ): Promise<T> => {
    await using file = await openLocalFile(source, dataDir)
    const { size, handle, path } = file
    quota.requireSize(size)
    using reservation = await quota.reserve(payerId, size)

    const onBytes = (bytes: number) => {
      onProgress?.(bytes, size)
      return reservation.cover(bytes)
    }

    const onWritten = (bytes: number) => reservation.wrote(bytes)
    const clone = await blobs.clone(handle, path)
    await using draft =
      clone ?? (await blobs.begin({ leastBytes: size, ownsChunks: true, onBytes, onWritten }))

    if (!clone) await copy(file, draft, signal)
    await file.requireUnchanged()
    onProgress?.(size, size)

    const claims = { ...metadata, ownerId: payerId }
    return await publishing.publishBuild(cancellable(draft, signal), claims, publication)
  }
}

async function copy({ handle, size }: OpenFile, draft: BlobDraft, signal: AbortSignal) {
  const bytes = handle.createReadStream({
    start: 0,
    end: size - 1,
    highWaterMark: CHUNK_BYTES,
    autoClose: false,
  })

  await pipeline(bytes, draft.stream, { signal }).catch((cause: unknown) => {
    throw isOfReading(cause) ? unreadable(cause) : cause
  })
}

/** A read error of a removed stick or network drive is not a failure of our own disk. */
const isOfReading = (cause: unknown) => (cause as NodeJS.ErrnoException).syscall === 'read'

/** Returns a draft whose publication can be canceled while the digest is computed. */
const cancellable = (draft: BlobDraft, signal: AbortSignal): Pick<BlobDraft, 'publish'> => ({
  publish: (check) =>
    draft.publish((sha256) => {
      signal.throwIfAborted()
      check?.(sha256)
    }),
})
