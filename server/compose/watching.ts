import type { UserStore } from '../features/accounts/user-store'
import type { AuditLog } from '../features/audit/audit-log'
import type { FileStore } from '../features/files/file-store'
import { versionIn } from '../features/files/filename'
import type { PublishLocal } from '../features/local-files/publish-local'
import type { LinkFile } from '../features/projects/linking'
import type { ProjectStore } from '../features/projects/project-store'
import { ChosenFolders } from '../features/watches/chosen-folders'
import { usualPace, type WatchPace } from '../features/watches/folder-watch'
import type { TakeNeeds } from '../features/watches/take-build'
import { Watching } from '../features/watches/watching'
import type { WatchStore } from '../features/watches/watch-store'
import type { Log } from '../core/logging/log'

interface Needs {
  watches: WatchStore
  isReadOnly: () => boolean
  log: Log
  users: UserStore
  files: FileStore
  projects: ProjectStore
  audit: AuditLog
  publishLocal: PublishLocal
  linkingTo: (...asked: Parameters<TakeNeeds['linkingTo']>) => LinkFile
  pace: WatchPace | undefined
}

/** Watched folders publish files on projects in somebody's name: that concerns several nouns, so it is composed here. */
export function composeWatching({ watches, users, files, projects, audit, pace, ...needs }: Needs) {
  const offers = (projectId: string, sha256: string) =>
    projects.links.ofProject(projectId).some(({ fileId }) => files.find(fileId)?.sha256 === sha256)
  const watching = new Watching({
    ...needs,
    ...{ store: watches, offers, versionIn, pace: pace ?? usualPace },
    isActive: (userId) => users.isActive(userId),
    hasProject: (id) => projects.find(id) !== undefined,
  })
  watching.onNews(({ watch, filename, isPublic, error }) => {
    if (error !== null) return
    const detail = isPublic ? 'public' : 'private'
    audit.recordWatched({ kind: 'file_upload', userId: watch.ownerId, subject: filename, detail })
  })
  return { watches, watching, chosenFolders: new ChosenFolders() }
}
