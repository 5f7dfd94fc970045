import type { UserRecord } from '../features/accounts/user-store'
import type { FileRecord } from '../features/files/file-store'
import type { LinkRecord, PlacedLink, ProjectRecord } from '../features/projects/project-store'
import type { TrashRecord } from '../features/trash/trash'
import type { Sidecar, SidecarAccount } from './sidecar'

/** What there is to ask about a blob. */
export interface Known {
  fileOfBlob(blobId: string): FileRecord | undefined
  trashOfBlob(blobId: string): TrashRecord | undefined
  user(id: string): UserRecord | undefined
  project(id: string): ProjectRecord | undefined
  projectsOffering(fileId: string): readonly ProjectRecord[]
}

/** What has to be known of a blob, should the library be lost. Undefined for one that no record names. */
export function describeBlob(known: Known, blobId: string): Sidecar | undefined {
  const file = known.fileOfBlob(blobId)
  if (file) return sidecarOf(known, file, null, placesOf(known, file.id))
  const trashed = known.trashOfBlob(blobId)
  if (!trashed) return undefined
  const { file: deleted, placed } = trashed.value as { file: FileRecord; placed: readonly PlacedLink[] }
  return sidecarOf(known, deleted, trashed.deletedAt, placed)
}

function placesOf(known: Known, fileId: string): PlacedLink[] {
  return known.projectsOffering(fileId).flatMap((project) => {
    const link = project.links.find((candidate) => candidate.fileId === fileId)
    return link ? [{ projectId: project.id, link }] : []
  })
}

function sidecarOf(
  known: Known,
  { id, ownerId, filename, size, sha256, crc32, isPublic, version, packageVersion, uploadedAt }: FileRecord,
  deletedAt: string | null,
  placed: readonly PlacedLink[],
): Sidecar {
  const projects = placed.flatMap(({ projectId, link }) => {
    const project = known.project(projectId)
    return project ? [projectOf(known, project, link)] : []
  })
  const file = { id, filename, size, sha256, crc32, isPublic, version, packageVersion, uploadedAt }
  return { ...file, deletedAt, owner: accountOf(known, ownerId), projects }
}

function projectOf(known: Known, project: ProjectRecord, { version, platform, addedAt }: LinkRecord) {
  const { id, slug, title, isPublic, createdAt, ownerId } = project
  const link = { version, platform, addedAt }
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
