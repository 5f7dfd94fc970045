import type { UserRecord } from '../../features/accounts/user-store'
import type { FileRecord } from '../../features/files/file-store'
import type { LinkRecord } from '../../features/projects/link-store'
import type { ProjectRecord } from '../../features/projects/project-store'
import type { TrashRecord } from '../../features/trash/trash'
import type { Sidecar, SidecarAccount } from './sidecar'

/** What there is to ask about a blob. */
export interface Known {
  fileOfBlob(blobId: string): FileRecord | undefined
  trashOfBlob(blobId: string): TrashRecord | undefined
  user(id: string): UserRecord | undefined
  project(id: string): ProjectRecord | undefined
  linksTo(fileId: string): readonly LinkRecord[]
}

/** What has to be known of a blob, should the library be lost. Undefined for one that no record names. */
export function describeBlob(known: Known, blobId: string): Sidecar | undefined {
  const file = known.fileOfBlob(blobId)
  if (file) return sidecarOf(known, file, null, known.linksTo(file.id))
  const trashed = known.trashOfBlob(blobId)
  if (!trashed) return undefined
  const { file: deleted, links } = trashed.value as { file: FileRecord; links: readonly LinkRecord[] }
  return sidecarOf(known, deleted, trashed.deletedAt, links)
}

function sidecarOf(
  known: Known,
  { id, ownerId, filename, size, sha256, crc32, isPublic, version, packageVersion, uploadedAt }: FileRecord,
  deletedAt: string | null,
  links: readonly LinkRecord[],
): Sidecar {
  const projects = links.flatMap((link) => {
    const project = known.project(link.projectId)
    return project ? [projectOf(known, project, link)] : []
  })
  const file = { id, filename, size, sha256, crc32, isPublic, version, packageVersion, uploadedAt }
  return { ...file, deletedAt, owner: accountOf(known, ownerId), projects }
}

function projectOf(known: Known, project: ProjectRecord, { version, platform, addedAt, position }: LinkRecord) {
  const { id, slug, title, isPublic, createdAt, ownerId } = project
  const link = { version, platform, addedAt, position }
  return { id, slug, title, isPublic, createdAt, owner: accountOf(known, ownerId), link }
}

/** An account is never deleted; should one be missing, whoever rebuilds still sees which files belong together. */
function accountOf(known: Known, userId: string): SidecarAccount {
  const user = known.user(userId)
  if (!user) return { ...nobody, id: userId, username: `user-${userId}`, email: `${userId}@unknown.invalid` }
  const { id, username, email, tier, isHost, disabledAt, createdAt } = user
  return { id, username, email, tier, isHost, disabledAt, createdAt }
}

const nobody = { tier: 'Free', isHost: false, disabledAt: null, createdAt: new Date(0).toISOString() } as const
