import type { UserRecord } from '../../features/accounts/user-store'
import type { FileRecord } from '../../features/files/file-store'
import type { LinkRecord } from '../../features/projects/link-store'
import type { ProjectRecord } from '../../features/projects/project-store'
import type { TrashRecord } from '../../features/trash/trash'
import type { Library } from '../library/library'

interface Questions {
  blobOf: (fileId: string) => string | undefined
  blobsOfOwner: (userId: string) => Iterable<string>
  linksOf: (projectId: string) => readonly LinkRecord[]
}

const told = ({ slug, title, isPublic, ownerId }: ProjectRecord) => JSON.stringify([slug, title, isPublic, ownerId])
const toldOf = ({ username, email, tier, disabledAt }: UserRecord) => `${username} ${email} ${tier} ${disabledAt}`

/** Calls `changed` for every blob of which something else has to be told than before. */
export function watchChanges(library: Library, questions: Questions, changed: (blobId: string) => void) {
  const { blobOf, blobsOfOwner, linksOf } = questions
  const linkChanged = ({ fileId }: LinkRecord) => {
    const blobId = blobOf(fileId)
    if (blobId !== undefined) changed(blobId)
  }
  library.collection<FileRecord>('files').watch((_id, before, after) => {
    const blobId = (after ?? before)?.blobId
    if (blobId !== undefined) changed(blobId)
  })
  library.collection<TrashRecord>('trash').watch((_id, before, after) => {
    const blobId = (after ?? before)?.blobId
    if (blobId) changed(blobId)
  })
  library.collection<ProjectRecord>('projects').watch((id, before, after) => {
    if (before && after && told(before) === told(after)) return
    linksOf(id).forEach(linkChanged)
  })
  library.collection<LinkRecord>('links').watch((_id, before, after) => {
    const link = after ?? before
    if (link) linkChanged(link)
  })
  library.collection<UserRecord>('users').watch((id, before, after) => {
    if (before && after && toldOf(before) !== toldOf(after)) for (const blobId of blobsOfOwner(id)) changed(blobId)
  })
}
