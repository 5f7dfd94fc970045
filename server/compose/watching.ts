import { versionIn } from '../texts/filename'
import { ChosenFolders } from '../features/watches/chosen-folders'
import { usualPace } from '../features/watches/folder-watch'
import { Watching } from '../features/watches/watching'
import type { Accounts } from './accounts'
import type { Files } from './files'
import type { Foundation } from './foundation'
import type { Projects } from './projects'
import type { Transfers } from './transfers'

interface Deps {
  accounts: Accounts
  files: Files
  projects: Projects
  transfers: Transfers
}

/** Composes watched folders, which publish files on projects as an account. */
export function composeWatching(
  { config, data, log }: Foundation,
  { accounts, files, projects, transfers }: Deps,
) {
  const offers = (projectId: string, sha256: string) =>
    projects.store.links
      .ofProject(projectId)
      .some(({ fileId }) => files.store.find(fileId)?.sha256 === sha256)

  const folders = new Watching({
    store: projects.watches,
    log,
    offers,
    versionIn,
    pace: config.watchPace ?? usualPace,
    publishLocal: transfers.publishLocal,
    linkingTo: projects.linkingTo,
    isReadOnly: () => data.trouble() !== null,
    isActive: (userId) => accounts.users.isActive(userId),
    hasProject: (id) => projects.store.find(id) !== undefined,
  })

  folders.onNews(({ watch, filename, isPublic, error }) => {
    if (error !== null) return
    const detail = isPublic ? 'public' : 'private'

    accounts.audit.recordWatched({
      kind: 'file_upload',
      userId: watch.ownerId,
      subject: filename,
      detail,
    })
  })

  return { folders, chosenFolders: new ChosenFolders() }
}
