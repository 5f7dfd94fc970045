import { platformOf, tierQuota } from '../contract'
import { background } from '../core/background'
import type { Transaction } from '../data/library/library'
import { FileRequestStore } from '../features/file-requests/file-request-store'
import { FileStore } from '../features/files/file-store'
import { PackageFacts } from '../features/files/package-facts'
import { CopyStore } from '../features/bucket/copy-store'
import { filePolicy } from '../features/files/policy'
import { Publishing } from '../features/files/publish'
import { Updates } from '../features/files/updates'
import { platformOfLink } from '../features/projects/link-store'
import { ShareLinkStore } from '../features/share-links/share-link-store'
import { AccountUsage } from '../features/quota/account-usage'
import { Quota } from '../features/quota/quota'
import { StrangersRoom } from '../features/quota/strangers-room'
import { UploadStore } from '../features/resumable-uploads/upload-store'
import { Counts } from '../features/stats/counts'
import { Trash } from '../features/trash/trash'
import { PackageReader } from '../libraries/package-reader/package-reader'
import type { Accounts } from './accounts'
import type { Data } from './data'
import type { Foundation } from './foundation'
import type { Projects } from './projects'
import type { FileRecord } from '../data/records/file-records'

/** The most projects that a response names for one file. */
const PROJECTS_NAMED = 5

export type Files = ReturnType<typeof composeFiles>

/** Composes files, the trash and their disk usage. */
export function composeFiles(foundation: Foundation, { users }: Accounts, projects: Projects) {
  const { config, data, sources, log, allowance } = foundation
  const { settings, library, blobs, clock } = data
  const { sessionKeys } = data.secrets

  const store = new FileStore(library, sources)
  const uploads = new UploadStore(library, sources, clock, allowance)

  const trash = new Trash({
    library,
    clock,
    limit: (userId) => tierQuota[users.tierOf(userId)],
    mostProjects: () => settings.get().projects_per_account,
  })

  const packages = foundation.packages ?? new PackageReader(log, config.packageReader)
  const joinReleases = (tx: Transaction, file: FileRecord) => projects.store.joinReleases(tx, file)
  const damaged = data.damaged.problems
  const facts = new PackageFacts({ store, blobs, packages, damaged, log, joinReleases })

  const usage = new AccountUsage(library)
  const quota = new Quota({
    ...{ users, usage, files: store },
    largestFile: () => settings.get().largest_file,
    ...shareDisk(data, trash),
  })

  const counts = composeCounts(foundation, { store, projects })
  const room = new StrangersRoom({
    users,
    receivedBy: (userId) => store.receivedBy(userId) + usage.receivedBy(userId),
    unfinishedReceivedBy: (userId) => uploads.unfinishedReceivedBy(userId),
  })

  return {
    store,
    uploads,
    trash,
    quota,
    ...{ packages, facts },
    strangersRoom: room,
    shareLinks: new ShareLinkStore({ library, sources, sessionKeys, counts }),
    fileRequests: new FileRequestStore({ library, sources, sessionKeys, uploads, room }),
    updates: new Updates({ store, blobs, log }),
    /** Sentences about damaged blobs. */
    damaged,
    presentPackage: facts.present,
    /** The public copies in the bucket. */
    copies: new CopyStore(library, sources),
    /** Returns the projects that offer the file, as its owner sees them. */
    projectsOf: ({ id, ownerId }: FileRecord) =>
      projects.store
        .withFile(id, ownerId, PROJECTS_NAMED)
        .map(({ project, version }) => ({ project_id: project.id, title: project.title, version })),
    counts,
    policy: filePolicy(projects.store, projects.previews),
    publishing: new Publishing({ library, blobs, store, quota, facts, users }),
    versionOf: projects.store.links.versionOf,
  }
}

/** Composes the counts of downloads, which also tell what tester links have. */
function composeCounts({ data: { library, role }, sources, log }: Foundation, deps: LinkDeps) {
  const counts = new Counts(library, sources, describeLink(deps), role.primary?.recordActivity)
  const { testers } = deps.projects
  const keeping = background(log, 'cannot keep which version a tester link has')
  counts.took.subscribe(({ linkId, ...build }) => keeping(() => testers.keepTaken(linkId, build)))
  return counts
}

/** What uploads may use of the disk. In a bucket, the trash takes none of it. */
function shareDisk({ blobs, primaryBlobs }: Data, trash: Trash) {
  const trashOnDisk = primaryBlobs ? undefined : trash
  return {
    freeDisk: () => blobs.free(),
    inTrash: () => trashOnDisk?.bytes ?? 0,
    makeRoom: async (bytes: number, userId: string) => trashOnDisk?.makeRoom(bytes, userId),
  }
}

interface LinkDeps {
  store: FileStore
  projects: Projects
}

/** Returns a function that finds version and platform of a file that a project offers. */
const describeLink =
  ({ store, projects }: LinkDeps) =>
  (projectId: string, fileId: string) => {
    const { links } = projects.store
    const link = links.find(projectId, fileId)
    const file = store.find(fileId)
    const version = link?.version ?? (file && links.versionOf(file)) ?? null
    const platform =
      link && file && platformOf({ filename: file.filename, platform: platformOfLink(link, file) })
    return { version, platform: platform ?? null }
  }
