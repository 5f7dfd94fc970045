import type { Data } from '../../compose/data'
import type { Files } from '../../compose/files'
import type { Projects } from '../../compose/projects'
import type { Transaction } from '../../data/library/library'
import type { FileRecord } from '../../data/records/file-records'
import {
  contentBytes,
  notesBytes,
  pictureBytes,
  picturesIn,
  textBytes,
  type LinkRecord,
  type ProjectRecord,
  type ReleaseRecord,
} from '../../data/records/project-records'
import type { TrashRecord } from '../../data/records/trash-record'
import type { NewTrashRecord } from './trash'

type Forget = (tx: Transaction, projectId: string) => void

interface Deps {
  data: Pick<Data, 'library' | 'blobs'>
  files: Pick<Files, 'store' | 'counts' | 'shareLinks' | 'trash'>
  projects: Projects
  webhooks: { store: Record<'dropWaiting' | 'forgetProject', Forget> }
  users: { find(id: string): unknown }
  histories: { forget(projectId: string): Promise<void> }
}

/**
 * Deletes files and projects. What belongs to them moves to the trash with them, and comes back
 * with them.
 */
export function createDeletion(deps: Deps) {
  restoreFiles(deps)
  restoreProjects(deps)
  return {
    deleteFile: (file: FileRecord) => deleteFile(deps, file),
    deleteProject: (project: ProjectRecord) => deleteProject(deps, project),
    takeFile: (tx: Transaction, file: FileRecord, links?: readonly LinkRecord[]) =>
      takeFile(deps, tx, file, links),
    takeProject: (tx: Transaction, project: ProjectRecord) => takeProject(deps, tx, project),
  }
}

/**
 * Deletes a file. It leaves every project that offers it; restoring puts its links back. Its share
 * links wait for a restore.
 */
async function deleteFile(deps: Deps, file: FileRecord): Promise<void> {
  const {
    data: { library },
    files: { trash },
  } = deps

  const outgrown = await library.transact((tx) => trash.put(tx, takeFile(deps, tx, file)))
  await trash.erase(outgrown)
}

/** Removes a file and its links. Returns its item of the trash. `links`: those, already removed. */
function takeFile(
  { files: { store }, projects }: Deps,
  tx: Transaction,
  file: FileRecord,
  links = projects.store.links.takeOfFile(tx, file.id),
): Extract<NewTrashRecord, { kind: 'file' }> {
  store.drop(tx, file)
  // Releases that become empty are removed with the file.
  const releases = links.flatMap(
    ({ releaseId }) => projects.store.releases.find(releaseId ?? '') ?? [],
  )

  const { id, ownerId, filename, size, blobId } = file
  // A build of a preview comes back as an ordinary file.
  const kept = { ...file, previewOf: undefined }
  const value = { file: kept, links, releases }
  return { id, kind: 'file', ownerId, name: filename, size, blobId, value }
}

/** Registers how files come back, alone or with a release that its channel no longer keeps. */
function restoreFiles({ data: { blobs }, files, projects }: Deps): void {
  const { store, counts, shareLinks, trash } = files
  const { links: allLinks, releases: allReleases } = projects.store
  const isOnProject = ({ projectId }: { projectId: string }) =>
    projects.store.find(projectId)?.id === projectId

  const restore = (
    tx: Transaction,
    restored: readonly FileRecord[],
    links: readonly LinkRecord[],
    releases: readonly ReleaseRecord[],
  ) => {
    for (const file of restored) store.put(tx, file)
    allReleases.bringBack(tx, releases.filter(isOnProject))
    allLinks.putBack(tx, links.filter(isOnProject))
  }

  /** `links`: the links that were deleted with the file, perhaps also of other files. */
  const purge = (tx: Transaction, { id }: FileRecord, links: readonly LinkRecord[]) => {
    // If a project was restored while this file was in the trash, it still links to it.
    counts.forgetFile(tx, id, links.concat(allLinks.takeOfFile(tx, id)))
    shareLinks.forgetTarget(tx, id)
  }

  trash.register('file', {
    restore: (tx, { file, links, releases }) => restore(tx, [file], links, releases),
    purge: (tx, { file, links }) => purge(tx, file, links),
    erase: ({ file }) => blobs.remove(file.blobId),
  })

  trash.register('release', {
    restore(tx, { release, links, files: restored }) {
      const ids = new Set(restored.map(({ id }) => id))
      const isThere = ({ fileId }: LinkRecord) =>
        ids.has(fileId) || store.find(fileId)?.ownerId === release.ownerId
      restore(tx, restored, links.filter(isThere), [release])
    },
    purge(tx, { files: purged, links }) {
      for (const file of purged) purge(tx, file, links)
    },
    async erase({ files: erased }) {
      for (const { blobId } of erased) await blobs.remove(blobId)
    },
  })
}

/**
 * Deletes a project with its releases, posts and links. Its files stay, and its watched folders,
 * tester links, requests, reports and webhooks wait for a restore.
 */
async function deleteProject(deps: Deps, project: ProjectRecord): Promise<void> {
  const {
    data: { library },
    files: { trash },
  } = deps

  const outgrown = await library.transact((tx) => trash.put(tx, takeProject(deps, tx, project)))
  await trash.erase(outgrown)
}

/** Removes a project with what belongs to it. Returns its item of the trash. */
function takeProject(
  { projects: { store, posts }, webhooks }: Deps,
  tx: Transaction,
  project: ProjectRecord,
): Extract<NewTrashRecord, { kind: 'project' }> {
  const { id, ownerId, title } = project
  store.drop(tx, project)
  webhooks.store.dropWaiting(tx, id)

  const links = store.links.takeOfProject(tx, id)
  const releases = store.releases.takeOfProject(tx, id)
  const value = { project, posts: posts.forgetProject(tx, id), links, releases }
  const size = sizeOf(value)
  return { id, kind: 'project', ownerId, name: title, size, blobId: null, value }
}

/** Registers how projects come back. */
function restoreProjects(deps: Deps): void {
  const { data, files, projects, webhooks, users, histories } = deps
  const { counts, trash } = files
  const { store, posts, watches, testers, accessRequests, previews, reports } = projects

  trash.register('project', {
    restore(tx, { project, releases, links, posts: restored }) {
      // Files in the trash still belong to the owner; files that were given to the owner of another
      // project do not.
      const isOwned = ({ fileId }: LinkRecord) =>
        files.store.find(fileId)?.ownerId === project.ownerId ||
        trash.holdsFile(fileId, project.ownerId)

      // Their accounts may have been deleted meanwhile.
      const isThere = (userId: string) => users.find(userId) !== undefined
      const collaboratorIds = project.collaboratorIds.filter(isThere)
      const maintainerIds = project.maintainerIds?.filter(isThere)

      store.putBack(tx, [{ ...project, collaboratorIds, maintainerIds }])
      store.releases.putBack(tx, releases)
      store.links.putBack(tx, links.filter(isOwned))
      posts.putBack(tx, restored)
    },
    purge(tx, { project: { id } }) {
      counts.forgetProject(tx, id)
      store.links.forgetChange(tx, id)
      watches.forgetProject(tx, id)
      reports.forgetProject(tx, id)
      webhooks.store.forgetProject(tx, id)
      testers.forgetTarget(tx, id)
      accessRequests.forgetProject(tx, id)
      previews.forgetTarget(tx, id)
    },
    async erase({ project }) {
      // A deleted account loses the bytes before the records.
      const files = reports.ofProject(project.id).flatMap(({ attachments }) => attachments)
      for (const { blobId } of [...picturesIn(project), ...files]) await data.blobs.remove(blobId)
      await histories.forget(project.id)
    },
  })
}

type ProjectValue = Extract<TrashRecord, { kind: 'project' }>['value']

/** Returns the bytes that deleting a project permanently frees. */
function sizeOf({ project, posts, releases }: ProjectValue): number {
  const text = [textBytes(project), ...posts.map(contentBytes), ...releases.map(notesBytes)]
  return text.reduce((sum, more) => sum + more, pictureBytes(project))
}
