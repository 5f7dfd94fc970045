import { TRASH_DAYS, type DeletionPreview } from '../../contract'
import type { ProjectRecord } from '../../data/records/project-records'
import type { AccountDeletionDeps } from './deps'
import { countEnding } from './ending-records'

type Deps = Pick<AccountDeletionDeps, 'accounts' | 'files' | 'projects'>

/** Returns what deleting an account would do. */
export function previewDeletion(deps: Deps, userId: string): DeletionPreview {
  const { files, projects } = deps
  const { apiKeys, fileRequests } = countEnding(deps, userId)
  const trashed = files.trash.ownedBy(userId)
  const trashedBytes = trashed.reduce((sum, { size }) => sum + size, 0)

  const all = projects.store.ofMember(userId)
  const own = all.filter(({ ownerId }) => ownerId === userId)

  return {
    projects: own.map((project) => presentProject(deps, project)),
    files: files.store.countOf(userId) + trashed.filter(({ kind }) => kind === 'file').length,
    size: files.store.usedBy(userId) + trashedBytes,
    api_keys: apiKeys,
    file_requests: fileRequests,
    previews: own.reduce((sum, { id }) => sum + projects.previews.ofTarget(id).length, 0),
    memberships: all.length - own.length,
    restorable_days: TRASH_DAYS,
  }
}

function presentProject(
  { accounts: { users }, files, projects }: Deps,
  { id, title, isPublic, collaboratorIds, maintainerIds = [] }: ProjectRecord,
): DeletionPreview['projects'][number] {
  const linked = projects.store.links
    .ofProject(id)
    .flatMap(({ fileId }) => files.store.find(fileId) ?? [])

  const collaborators = collaboratorIds
    .filter((userId) => users.isActive(userId))
    .map((userId) => ({
      username: users.nameOf(userId),
      role: maintainerIds.includes(userId) ? ('maintainer' as const) : ('collaborator' as const),
    }))

  return {
    project_id: id,
    title,
    is_public: isPublic,
    files: linked.length,
    size: linked.reduce((sum, { size }) => sum + size, 0),
    collaborators: collaborators.sort((a, b) => b.role.localeCompare(a.role)),
  }
}
