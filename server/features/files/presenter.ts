import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import type { File } from '../../contract'
import type { UserRecord } from '../../data/records/account-records'
import type { FileRecord } from '../../data/records/file-records'

/**
 * Presents a file in responses. Lists each field, so that a new private one is never sent by
 * accident.
 */
export function presentFile(
  {
    accounts: { users },
    files: { counts, copies, policy: filePolicy, versionOf, projectsOf, presentPackage },
  }: Rooms<'accounts' | 'files'>,
  file: FileRecord,
  actor: Actor,
): File {
  const can = filePolicy.abilities(actor, file)

  return {
    file_id: file.id,
    filename: file.filename,
    size: file.size,
    visibility: file.isPublic ? 'public' : 'private',
    is_public: file.isPublic,
    uploaded_at: file.uploadedAt,
    owner: users.nameOf(file.ownerId),
    sha256: file.sha256,
    version: versionOf(file),
    ...presentPackage(file),
    downloads: counts.downloadsOfFile(file.id),
    projects: can.includes('update') ? projectsOf(file) : [],
    received: can.includes('update') ? presentReceived(users.find(file.ownerId), file) : null,
    can,
    mirror: can.includes('update') ? copies.stateOf(file.blobId) : null,
  }
}

function presentReceived(
  owner: UserRecord | undefined,
  { received, uploadedAt }: FileRecord,
): File['received'] {
  if (!received) return null
  const { from, message, request } = received
  return { from, message, request, is_new: uploadedAt > (owner?.receivedSeenAt ?? '') }
}
