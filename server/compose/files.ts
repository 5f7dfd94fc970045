import { tierQuota } from '../contract'
import { FileStore, type FileRecord } from '../features/files/file-store'
import { versionIn } from '../features/files/filename'
import { filePolicy } from '../features/files/policy'
import { publishFiles } from '../features/files/publish'
import { UploadStore } from '../features/resumable-uploads/upload-store'
import { Counts } from '../features/stats/counts'
import { Visits } from '../features/stats/visits'
import { Trash } from '../features/trash/trash'
import { PackageReader } from '../packages/package-reader'
import type { Accounts } from './accounts'
import type { Foundation } from './foundation'
import type { Projects } from './projects'
import { composeQuota } from './quota'
import { composeSidecars } from './sidecars'

export type Files = Awaited<ReturnType<typeof composeFiles>>

/** Files, the trash, and what both take of the disk. */
export async function composeFiles(foundation: Foundation, { users, tierOf }: Accounts, projects: Projects) {
  const { config, data, world, log, allowance } = foundation
  const { settings, library, blobs, clock } = data
  const store = new FileStore(library, world)
  const uploads = new UploadStore(library, world, clock, allowance)
  const mostProjects = () => settings.get().limits.projectsPerAccount
  const trash = new Trash({ library, clock, limit: (userId) => tierQuota[tierOf(userId)], mostProjects })
  const packages = new PackageReader(log, config.packageReader)
  const sidecars = await composeSidecars({
    dataDir: config.dataDir,
    library,
    blobs,
    log,
    files: store,
    trash,
    users,
    projects,
  })
  const quota = composeQuota({
    blobs,
    files: store,
    projects: projects.store,
    posts: projects.posts,
    uploads,
    trash,
    tierOf,
  })
  return {
    store,
    uploads,
    trash,
    quota,
    packages,
    sidecars,
    counts: new Counts(library, new Visits(world), world),
    policy: filePolicy((fileId, userId) => projects.store.isShared(fileId, userId)),
    publishFile: publishFiles({ blobs, files: store, sidecars, packages }),
    /** The version that a person entered, else the package's own, else the one in the filename. */
    versionOf: ({ id, version, packageVersion, filename }: FileRecord) =>
      version ?? projects.store.links.newestVersionOf(id) ?? packageVersion ?? versionIn(filename),
  }
}
