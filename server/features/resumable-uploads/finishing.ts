import type { Actor } from '../../access/actor'
import type { Files } from '../../compose/files'
import type { Projects } from '../../compose/projects'
import { AppError } from '../../core/errors'
import type { PartialUploads } from '../../data/blobs/blob-store'
import type { UploadStore } from './upload-store'
import type { UploadRecord } from '../../data/records/upload-records'

export interface FinishDeps {
  files: Pick<Files, 'publishing' | 'quota' | 'store'>
  store: UploadStore
  partial: PartialUploads
  projects: Pick<Projects, 'linkingTo' | 'store'>
}

/** Returns the id of the account whose quota is reserved for the upload. */
type PayerOf = () => string | undefined

/**
 * Publishes a complete upload and marks it finished in one transaction. If the project was deleted,
 * the file is kept without it, by its sender. Of two jobs that push the same build at once, the
 * second gets the file of the first. Throws `digest_mismatch` and, if the sender asked for it,
 * `build_mismatch`.
 */
export async function finish(
  deps: FinishDeps,
  upload: UploadRecord,
  actor: Actor,
  payerOf: PayerOf,
): Promise<void> {
  const { files, store, partial } = deps
  const { isPublic, projectId, size } = upload

  const blob = await files.publishing.publish(partial.draft(upload), upload)
  const isKept = await files.publishing.record(blob, (tx) => {
    // The project may be deleted, or the sender removed from it, while the bytes are published.
    const linking = prepareLink(deps, upload, actor)
    const ownerId = linking?.ownerId ?? upload.ownerId

    const duplicate = findDuplicate(deps, { ...upload, ownerId }, blob)
    if (duplicate !== undefined) {
      store.finish(tx, upload, duplicate, [])
      return false
    }

    // No quota is reserved if the sender lost a right: the file may not fit.
    const isHeld = payerOf() === ownerId
    if (!isHeld || (projectId !== null && !linking)) files.quota.require(ownerId, isHeld ? 0 : size)
    const file = files.store.add(tx, { ...blob, ownerId, isPublic })

    const { version, platform, channel, isStrict: strict } = upload
    const warnings =
      linking && attempt(() => linking.link(tx, file, { version, platform, channel, strict }))

    store.finish(tx, upload, file.id, warnings)
    return true
  })

  if (!isKept) await files.publishing.drop(blob)
}

/** Finds the file of the same build that another upload brought to the project during this one. */
function findDuplicate(
  { files, projects }: FinishDeps,
  { ownerId, projectId, version, platform, isPublic, createdAt }: UploadRecord,
  { filename, sha256 }: { filename: string; sha256: string },
): string | undefined {
  const links = projectId === null ? [] : projects.store.links.ofProject(projectId)

  for (const link of links) {
    if (link.addedAt < createdAt) break
    const file = files.store.find(link.fileId)
    const isSame = file?.ownerId === ownerId && file.filename === filename && file.sha256 === sha256
    if (
      isSame &&
      file.isPublic === isPublic &&
      link.version === version &&
      link.platform === platform
    )
      return file.id
  }

  return undefined
}

/** Returns undefined without a project, or if the sender may no longer link to it. */
function prepareLink({ projects }: FinishDeps, { projectId }: UploadRecord, actor: Actor) {
  return projectId === null ? undefined : attempt(() => projects.linkingTo(actor, projectId))
}

/** Returns undefined if the project was deleted. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (cause) {
    if (cause instanceof AppError && !['build_mismatch', 'invalid_input'].includes(cause.code))
      return undefined
    throw cause
  }
}
