import type { Actor } from '../../access/actor'
import { AppError } from '../../core/errors'
import type { PublishedBlob } from '../../data/blobs/blobs'
import type { Transaction } from '../../data/library/library'
import type { PartialFiles } from '../../data/blobs/partial-files'
import type { UploadRecord, UploadStore } from './upload-store'

type LinkFile = (tx: Transaction, fileId: string, release: Pick<UploadRecord, 'version' | 'platform'>) => void

export interface FinishNeeds {
  store: UploadStore
  partial: PartialFiles
  /** The way in which all uploads become files. */
  publishFile: (
    draft: { publish(check?: (sha256: string) => void): Promise<PublishedBlob> },
    upload: Pick<UploadRecord, 'ownerId' | 'filename' | 'isPublic' | 'version'> & { sha256: string | undefined },
    also: (tx: Transaction, file: { id: string }) => void,
  ) => Promise<unknown>
  /** Throws `not_found` or `forbidden`. */
  linkingTo: (actor: Actor, projectId: string) => LinkFile
}

/**
 * Makes a file of an upload whose bytes are all there; in the same transaction the upload is finished. Should the
 * project have gone since, the file is kept without it. Throws `digest_mismatch`.
 */
export async function finish(needs: FinishNeeds, upload: UploadRecord, actor: Actor): Promise<void> {
  const { store, partial, publishFile } = needs
  const { ownerId, filename, isPublic, version, size, sha256 } = upload
  const link = linkOf(needs, upload, actor)
  const draft = partial.draft(upload.blobId, size)
  await publishFile(draft, { ownerId, filename, isPublic, version, sha256: sha256 ?? undefined }, (tx, file) => {
    const isLinked = link !== undefined && attempt(() => link(tx, file.id, upload))
    store.finish(tx, upload, file.id, isLinked)
  })
}

/** How to link the file; undefined where there is no project, or it is no longer theirs. */
function linkOf({ linkingTo }: FinishNeeds, { projectId }: UploadRecord, actor: Actor): LinkFile | undefined {
  if (projectId === null) return undefined
  let link: LinkFile | undefined
  attempt(() => (link = linkingTo(actor, projectId)))
  return link
}

/** Whether it went well; false where the project has gone. */
function attempt(act: () => unknown): boolean {
  try {
    act()
    return true
  } catch (cause) {
    if (cause instanceof AppError) return false
    throw cause
  }
}
