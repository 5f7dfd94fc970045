import type { Actor } from '../../access/actor'
import type { Files } from '../../compose/files'
import type { Projects } from '../../compose/projects'
import { AppError } from '../../core/errors'
import type { PartialUploads } from '../../data/blobs/blob-store'
import type { UploadStore } from './upload-store'
import type { Transaction } from '../../data/library/library'
import type { FileRecord, Received } from '../../data/records/file-records'
import type { UploadRecord } from '../../data/records/upload-records'

export interface FinishDeps {
  files: Pick<Files, 'publishing' | 'quota' | 'store'>
  store: UploadStore
  partial: PartialUploads
  projects: Pick<Projects, 'linkingTo' | 'store'>
  /** Counts a file of a person without an account. Throws if its request has ended. */
  receive: (tx: Transaction, received: Received, bytes: number) => void
  /** Adds the bytes to a report. `record` runs in the transaction, with the id of the file. */
  attach: (
    draft: ReturnType<PartialUploads['draft']>,
    upload: UploadRecord,
    record: (tx: Transaction, id: string) => void,
  ) => Promise<void>
}

/** Returns the id of the account whose quota is reserved for the upload. */
type PayerOf = () => string | undefined

/**
 * Publishes a complete upload and marks it finished in one transaction. If the project was deleted,
 * the file is kept without it, by its sender. Of two jobs that push the same build at once, the
 * second gets the file of the first. An upload for a report becomes a file of it. Throws
 * `digest_mismatch` and, if the sender asked for it, `build_mismatch`.
 */
export function finish(
  deps: FinishDeps,
  upload: UploadRecord,
  actor: Actor,
  payerOf: PayerOf,
): Promise<void> {
  const { files, store, partial } = deps
  if (upload.report) {
    return deps.attach(partial.draft(upload), upload, (tx, id) =>
      store.finish(tx, upload, id, undefined),
    )
  }

  const { isPublic, projectId, version, platform, channel } = upload
  const { isStrict: strict, received, forPreview } = upload

  return files.publishing.publishBuild(partial.draft(upload), upload, {
    place(blob) {
      // The project may be deleted, or the sender removed from it, while the bytes are published.
      const linking = prepareLink(deps, upload, actor)
      const ownerId = linking?.ownerId ?? upload.ownerId
      const payerId = payerOf()

      const same = findDuplicate(deps, { ...upload, ownerId }, blob)
      // The reservation of a sender who lost a right may exceed the quota.
      const hasLostRight = projectId !== null && !linking
      if (!same && hasLostRight && payerId === ownerId) files.quota.require(ownerId, 0)

      return {
        ownerId,
        payerId,
        isOwn: ownerId === upload.ownerId,
        isPublic: isPublic && !forPreview,
        received,
        // Without its project, the file is an ordinary one of its sender.
        previewOf: forPreview && linking?.projectId,
        same,
        link:
          linking &&
          (forPreview
            ? () => []
            : (tx, file) =>
                attempt(() => linking.link(tx, file, { version, platform, channel, strict }))),
      }
    },
    record(tx, file, warnings) {
      if (received) deps.receive(tx, received, file.size)
      store.finish(tx, upload, file.id, warnings)
    },
  })
}

/** Finds the file of the same build that another upload brought to the project during this one. */
function findDuplicate(
  { files, projects }: FinishDeps,
  { ownerId, projectId, version, platform, isPublic, createdAt }: UploadRecord,
  { filename, sha256 }: { filename: string; sha256: string },
): FileRecord | undefined {
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
      return file
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
