import { contentBytes, type PostStore } from '../features/posts/post-store'
import type { FileStore } from '../features/files/file-store'
import { notesBytes } from '../features/projects/release-store'
import { Retention } from '../features/retention/retention'
import type { ShareLinkStore } from '../features/share-links/share-link-store'
import type { ProjectStore } from '../features/projects/project-store'
import type { TesterStore } from '../features/testers/tester-store'
import type { Counts } from '../features/stats/counts'
import type { Trash } from '../features/trash/trash'
import type { WebhookStore } from '../features/webhooks/webhook-store'
import type { WatchStore } from '../features/watches/watch-store'
import type { BlobStore } from '../data/blobs/blob-store'
import type { Library, Transaction } from '../data/library/library'
import type { Accounts } from './accounts'
import type { Data } from './data'
import type { Files } from './files'
import type { Foundation } from './foundation'
import type { Projects } from './projects'
import type { FileRecord } from '../data/records/file-records'
import type { TrashRecord } from '../data/records/trash-record'
import {
  pictureBytes,
  picturesIn,
  textBytes,
  type LinkRecord,
  type ProjectRecord,
} from '../data/records/project-records'

interface Deps {
  library: Library
  blobs: BlobStore
  files: FileStore
  projects: ProjectStore
  posts: PostStore
  counts: Counts
  shareLinks: ShareLinkStore
  trash: Trash
  watches: WatchStore
  testers: TesterStore
  webhooks: WebhookStore
}

/**
 * Composes deletion, which spans several kinds of records. Deleted records move to the trash as a
 * whole.
 */
export function composeDeletion(
  { library, blobs }: Data,
  filesRoom: Files,
  room: Projects,
  { store: webhooks }: { store: WebhookStore },
  others: Pick<Foundation, 'sources' | 'log'> & Pick<Accounts, 'audit'>,
) {
  const { store: files, counts, shareLinks, trash } = filesRoom
  const { store: projects, posts, watches, testers } = room

  const stores = {
    library,
    blobs,
    files,
    projects,
    posts,
    counts,
    shareLinks,
    trash,
    watches,
    testers,
    webhooks,
  }

  restoreReleases(stores)
  return {
    deleteFile: fileDeletion(stores),
    deleteProject: projectDeletion(stores),
    retention: new Retention({ ...others, library, files: filesRoom, projects: room }),
  }
}

/**
 * Composes the deletion of a file. It leaves every project that offers it; restoring puts its links
 * back.
 */
function fileDeletion({ library, blobs, files, projects, counts, shareLinks, trash }: Deps) {
  const { releases } = projects
  const isOnProject = isOn(projects)

  trash.register('file', {
    restore(tx, value) {
      files.put(tx, value.file)
      releases.bringBack(tx, value.releases.filter(isOnProject))
      projects.links.putBack(tx, value.links.filter(isOnProject))
    },
    purge: (tx, { file, links }) => forgetFile({ counts, projects, shareLinks }, tx, file, links),
    erase: ({ file }) => blobs.remove(file.blobId),
  })

  return async (file: FileRecord): Promise<void> => {
    const outgrown = await library.transact((tx) => {
      files.drop(tx, file)
      const links = projects.links.takeOfFile(tx, file.id)

      // Releases that become empty are removed with the file.
      const fileReleases = links.map(({ releaseId }) =>
        releaseId === null ? undefined : releases.find(releaseId),
      )

      const value = {
        file,
        links,
        releases: fileReleases.filter((release) => release !== undefined),
      }

      const { id, ownerId, filename, size, blobId } = file
      return trash.put(tx, { id, kind: 'file', ownerId, name: filename, size, blobId, value })
    })
    await trash.erase(outgrown)
  }
}

/**
 * Restores a release that its channel no longer keeps: its files, and its project's links to them.
 */
function restoreReleases(deps: Deps): void {
  const { blobs, files, projects, trash } = deps
  const isOnProject = isOn(projects)

  trash.register('release', {
    restore(tx, value) {
      for (const file of value.files) files.put(tx, file)
      const back = new Set(value.files.map(({ id }) => id))
      const { ownerId } = value.release
      const isThere = ({ fileId }: LinkRecord) =>
        back.has(fileId) || files.find(fileId)?.ownerId === ownerId
      projects.releases.bringBack(tx, [value.release].filter(isOnProject))
      projects.links.putBack(tx, value.links.filter(isOnProject).filter(isThere))
    },
    purge(tx, value) {
      for (const file of value.files) forgetFile(deps, tx, file, value.links)
    },
    async erase(value) {
      for (const { blobId } of value.files) await blobs.remove(blobId)
    },
  })
}

const isOn =
  (projects: ProjectStore) =>
  ({ projectId }: { projectId: string }) =>
    projects.find(projectId)?.id === projectId

/**
 * Deletes the data of a file. `links`: the links that were deleted with it, perhaps also of other
 * files.
 */
function forgetFile(
  { counts, projects, shareLinks }: Pick<Deps, 'counts' | 'projects' | 'shareLinks'>,
  tx: Transaction,
  { id }: FileRecord,
  links: readonly LinkRecord[],
) {
  // If a project was restored while this file was in the trash, it still links to it.
  counts.forgetFile(tx, id, links.concat(projects.links.takeOfFile(tx, id)))
  shareLinks.forgetFile(tx, id)
}

/**
 * Composes the deletion of a project. It takes its releases, posts and links along. Its files stay,
 * and its watched folders, tester links and webhooks wait for a restore.
 */
function projectDeletion({
  library,
  blobs,
  files,
  projects,
  posts,
  counts,
  trash,
  watches,
  testers,
  webhooks,
}: Deps) {
  const { releases } = projects

  trash.register('project', {
    restore(tx, value) {
      projects.putBack(tx, value.project)
      releases.putBack(tx, value.releases)
      projects.links.putBack(
        tx,
        value.links.filter(isOwnedBy({ files, trash }, value.project.ownerId)),
      )
      posts.putBack(tx, value.posts)
    },
    purge(tx, { project }) {
      counts.forgetProject(tx, project.id)
      projects.links.forgetChange(tx, project.id)
      watches.forgetProject(tx, project.id)
      webhooks.forgetProject(tx, project.id)
      for (const { id } of testers.ofProject(project.id)) {
        testers.remove(tx, id)
        counts.forgetTester(tx, id)
      }
    },
    erase: ({ project }) => removePictures(blobs, project),
  })

  return async (project: ProjectRecord): Promise<void> => {
    const outgrown = await library.transact((tx) => {
      projects.drop(tx, project)
      webhooks.dropWaiting(tx, project.id)

      const links = projects.links.takeOfProject(tx, project.id)
      const projectReleases = releases.takeOfProject(tx, project.id)
      const projectPosts = posts.forgetProject(tx, project.id)

      const value = { project, posts: projectPosts, links, releases: projectReleases }
      const size = sizeOf(value)
      const { id, ownerId, title } = project
      return trash.put(tx, { id, kind: 'project', ownerId, name: title, size, blobId: null, value })
    })
    await trash.erase(outgrown)
  }
}

/**
 * Whether a file still belongs to the owner. Files in the trash do; files that were given to the
 * owner of another project do not.
 */
const isOwnedBy =
  ({ files, trash }: Pick<Deps, 'files' | 'trash'>, ownerId: string) =>
  ({ fileId }: LinkRecord) =>
    files.find(fileId)?.ownerId === ownerId || trash.holdsFile(fileId, ownerId)

type ProjectValue = Extract<TrashRecord, { kind: 'project' }>['value']

/** Returns the bytes that deleting a project permanently frees. */
function sizeOf({ project, posts, releases }: ProjectValue): number {
  const text = [textBytes(project), ...posts.map(contentBytes), ...releases.map(notesBytes)]
  return text.reduce((sum, more) => sum + more, pictureBytes(project))
}

async function removePictures(blobs: BlobStore, project: ProjectRecord): Promise<void> {
  for (const { blobId } of picturesIn(project)) await blobs.remove(blobId)
}
