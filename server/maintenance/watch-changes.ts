import type { UserRecord } from '../features/accounts/user-store'
import type { FileRecord } from '../features/files/file-store'
import type { LinkRecord, ProjectRecord } from '../features/projects/project-store'
import type { TrashRecord } from '../features/trash/trash'
import type { Library } from '../storage/library'

interface Questions {
  blobOf: (fileId: string) => string | undefined
  blobsOfOwner: (userId: string) => Iterable<string>
}

const told = ({ slug, title, isPublic, ownerId }: ProjectRecord) => JSON.stringify([slug, title, isPublic, ownerId])
const toldOf = ({ username, email, tier, disabledAt }: UserRecord) => `${username} ${email} ${tier} ${disabledAt}`

/** Calls `changed` for every blob of which something else has to be told than before. */
export function watchChanges(library: Library, { blobOf, blobsOfOwner }: Questions, changed: (blobId: string) => void) {
  library.collection<FileRecord>('files').watch((_id, before, after) => {
    const blobId = (after ?? before)?.blobId
    if (blobId !== undefined) changed(blobId)
  })
  library.collection<TrashRecord>('trash').watch((_id, before, after) => {
    const blobId = (after ?? before)?.blobId
    if (blobId) changed(blobId)
  })
  library.collection<ProjectRecord>('projects').watch((_id, before, after) => {
    for (const fileId of filesConcerned(before, after)) {
      const blobId = blobOf(fileId)
      if (blobId !== undefined) changed(blobId)
    }
  })
  library.collection<UserRecord>('users').watch((id, before, after) => {
    if (before && after && toldOf(before) !== toldOf(after)) for (const blobId of blobsOfOwner(id)) changed(blobId)
  })
}

/** All files of a project that says something new of itself, else those whose link has changed. */
function filesConcerned(before: ProjectRecord | undefined, after: ProjectRecord | undefined): Set<string> {
  const [old, now] = [before?.links ?? [], after?.links ?? []]
  const isSame = before && after && told(before) === told(after)
  const concerned = isSame ? [...without(old, now), ...without(now, old)] : [...old, ...now]
  return new Set(concerned.map(({ fileId }) => fileId))
}

function without(links: readonly LinkRecord[], others: readonly LinkRecord[]): LinkRecord[] {
  const known = new Set(others)
  return links.filter((link) => !known.has(link))
}
