import type { Actor } from '../../access/actor'
import type { Files } from '../../compose/files'
import type { Projects } from '../../compose/projects'
import { AppError } from '../../core/errors'
import type { PartialFiles } from '../../data/blobs/partial-files'
import type { UploadRecord, UploadStore } from './upload-store'

export interface FinishNeeds {
  files: Pick<Files, 'publishing' | 'store'>
  store: UploadStore
  partial: PartialFiles
  linkingTo: Projects['linkingTo']
}

/**
 * Publishes a complete upload and marks it finished in one transaction. If the project was deleted, the file is kept
 * without it. Throws `digest_mismatch` and, if the sender asked for it, `build_mismatch`.
 */
export async function finish(needs: FinishNeeds, upload: UploadRecord, actor: Actor): Promise<void> {
  const { files, store, partial } = needs
  const { ownerId, isPublic, blobId, size } = upload
  const link = linkOf(needs, upload, actor)
  const blob = await files.publishing.publish(partial.draft(blobId, size), upload)
  await files.publishing.record(blob, (tx) => {
    const file = files.store.add(tx, { ...blob, ownerId, isPublic })
    const { version, platform, isStrict: strict } = upload
    const warnings = link && attempt(() => link(tx, file, { version, platform, strict }))
    store.finish(tx, upload, file.id, warnings)
  })
}

/** Undefined without a project, or if the sender may no longer link to it. */
function linkOf({ linkingTo }: FinishNeeds, { projectId }: UploadRecord, actor: Actor) {
  return projectId === null ? undefined : attempt(() => linkingTo(actor, projectId))
}

/** Returns undefined if the project was deleted. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (cause) {
    if (cause instanceof AppError && cause.code !== 'build_mismatch') return undefined
    throw cause
  }
}
