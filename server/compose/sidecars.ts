import type { Log } from '../core/logging/log'
import type { Blobs } from '../data/blobs/blobs'
import type { Library } from '../data/library/library'
import { SidecarWriter } from '../data/sidecars/sidecar-writer'
import { watchChanges } from '../data/sidecars/watch-changes'
import type { UserStore } from '../features/accounts/user-store'
import type { FileStore } from '../features/files/file-store'
import type { Trash } from '../features/trash/trash'
import type { Projects } from './projects'

interface Stores {
  dataDir: string
  library: Library
  blobs: Blobs
  log: Log
  files: FileStore
  trash: Trash
  users: UserStore
  projects: Projects
}

/** Keeps a description beside each blob, from which a lost library is rebuilt. */
export async function composeSidecars({ dataDir, library, blobs, log, files, trash, users, projects }: Stores) {
  const known = {
    fileOfBlob: (blobId: string) => files.ofBlob(blobId),
    trashOfBlob: (blobId: string) => trash.ofBlob(blobId),
    user: (id: string) => users.find(id),
    project: (id: string) => projects.store.find(id),
    linksTo: (fileId: string) => projects.store.links.ofFile(fileId),
  }
  const questions = {
    blobOf: (fileId: string) => files.find(fileId)?.blobId,
    blobsOfOwner: (userId: string) => files.ownedBy(userId).map((file) => file.blobId),
    linksOf: (projectId: string) => projects.store.links.ofProject(projectId),
  }
  const sidecars = await SidecarWriter.open({ dir: dataDir, blobs, known, log })
  watchChanges(library, questions, (blobId) => sidecars.changed(blobId))
  return sidecars
}
