import { platformOf, tierQuota, type Tier } from '../contract'
import { background } from '../core/background'
import type { BlobStore } from '../data/blobs/blob-store'
import type { Transaction } from '../data/library/library'
import { FileRequestStore } from '../features/file-requests/file-request-store'
import { FileStore } from '../features/files/file-store'
import { versionIn } from '../features/files/filename'
import { PackageFacts, presentPackage } from '../features/files/package-facts'
import { CopyStore } from '../features/bucket/copy-store'
import { filePolicy } from '../features/files/policy'
import { Publishing } from '../features/files/publish'
import { Updates } from '../features/files/updates'
import { platformOfLink } from '../features/projects/link-store'
import { ShareLinkStore } from '../features/share-links/share-link-store'
import { Quota } from '../features/quota/quota'
import { StrangersRoom } from '../features/quota/strangers-room'
import { UploadStore } from '../features/resumable-uploads/upload-store'
import { Counts } from '../features/stats/counts'
import { Trash } from '../features/trash/trash'
import { PackageReader } from '../libraries/package-reader/package-reader'
import type { Accounts } from './accounts'
import type { Foundation } from './foundation'
import type { Projects } from './projects'
import type { FileRecord } from '../data/records/file-records'

/** The most projects that a response names for one file. */
const PROJECTS_NAMED = 5

export type Files = ReturnType<typeof composeFiles>

/** Composes files, the trash and their disk usage. */
export function composeFiles(
  foundation: Foundation,
  { tierOf, accountExists }: Accounts,
  projects: Projects,
) {
  const { config, data, sources, log, allowance } = foundation
  const { settings, library, blobs, clock } = data
  const { sessionKeys } = data.secrets

  const store = new FileStore(library, sources)
  const uploads = new UploadStore(library, sources, clock, allowance)
  const largestFile = () => settings.get().largest_file

  const trash = new Trash({
    library,
    clock,
    limit: (userId) => tierQuota[tierOf(userId)],
    mostProjects: () => settings.get().projects_per_account,
  })

  const packages = foundation.packages ?? new PackageReader(log, config.packageReader)
  const joinReleases = (tx: Transaction, file: FileRecord) => projects.store.joinReleases(tx, file)
  const facts = new PackageFacts({ store, blobs, packages, log, joinReleases })

  const trashOnDisk = data.primaryBlobs ? undefined : trash
  const quota = composeQuota(
    { blobs, files: store, uploads, trashOnDisk, tierOf, largestFile },
    projects,
  )

  const versionOf = findVersion(projects)
  const counts = new Counts(
    library,
    sources,
    describeLink({ store, projects, versionOf }),
    data.role.primary?.recordActivity,
  )

  keepTaken(counts, projects, log)

  const room = composeStrangersRoom({ store, uploads, projects, tierOf })

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
    presentPackage: (file: FileRecord) => ({
      ...presentPackage(file),
      is_damaged: data.damaged.problems.has(file.blobId),
    }),
    /** The public copies in the bucket. */
    copies: new CopyStore(library, sources),
    /** Returns the projects that offer the file, as its owner sees them. */
    projectsOf: ({ id, ownerId }: FileRecord) =>
      projects.store
        .withFile(id, ownerId, PROJECTS_NAMED)
        .map(({ project, version }) => ({ project_id: project.id, title: project.title, version })),
    counts,
    policy: filePolicy(projects.store, projects.previews),
    publishing: new Publishing({ library, blobs, store, quota, facts, accountExists }),
    versionOf,
  }
}

/**
 * Returns a function that finds the version of a file: the one entered, else the package's, else
 * the one in the filename.
 */
const findVersion =
  ({ store: { links } }: Projects) =>
  ({ id, version, facts, filename }: FileRecord) =>
    version ?? links.newestVersionOf(id) ?? facts?.version ?? versionIn(filename)

/** Keeps which versions tester links have. */
function keepTaken(counts: Counts, { testers }: Projects, log: Foundation['log']): void {
  const keeping = background(log, 'cannot keep which version a tester link has')
  counts.took.subscribe(({ linkId, ...build }) => keeping(() => testers.keepTaken(linkId, build)))
}

/** Composes the part of each quota that people without an account may use. */
const composeStrangersRoom = ({
  store,
  uploads,
  projects,
  tierOf,
}: Pick<LinkDeps, 'store' | 'projects'> & Pick<Deps, 'uploads' | 'tierOf'>) =>
  new StrangersRoom({
    tierOf,
    sentTo: (userId) =>
      sum([
        store.receivedBy(userId),
        projects.reports.fileBytes.get(userId),
        uploads.unfinishedReceivedBy(userId),
      ]),
  })

interface LinkDeps {
  store: FileStore
  projects: Projects
  versionOf: ReturnType<typeof findVersion>
}

/** Returns a function that finds version and platform of a file that a project offers. */
const describeLink =
  ({ store, projects, versionOf }: LinkDeps) =>
  (projectId: string, fileId: string) => {
    const link = projects.store.links.find(projectId, fileId)
    const file = store.find(fileId)
    const version = link?.version ?? (file && versionOf(file)) ?? null
    const platform =
      link && file && platformOf({ filename: file.filename, platform: platformOfLink(link, file) })
    return { version, platform: platform ?? null }
  }

interface Deps {
  blobs: BlobStore
  files: FileStore
  uploads: UploadStore
  /** Undefined if the trash uses no disk space of this host. */
  trashOnDisk: Trash | undefined
  tierOf: (userId: string) => Tier
  largestFile: () => number
}

/** Composes the quota of an account, which spans several kinds of records. */
function composeQuota(
  { blobs, files, uploads, trashOnDisk, tierOf, largestFile }: Deps,
  { store: projects, posts, reports, accessRequests }: Projects,
): Quota {
  return new Quota({
    filesOf: (userId) => files.usedBy(userId),
    picturesOf: (userId) => projects.picturesOf(userId),
    reportsOf: (userId) => reports.fileBytes.get(userId),
    textOf: (userId) =>
      sum([projects, projects.releases, posts, uploads].map((store) => store.textOf(userId))) +
      reports.textBytes.get(userId) +
      accessRequests.textBytes.get(userId),
    byKind: (userId) => files.byKind(userId),
    tierOf,
    largestFile,
    freeDisk: () => blobs.free(),
    inTrash: () => trashOnDisk?.bytes ?? 0,
    makeRoom: async (bytes, userId) => trashOnDisk?.makeRoom(bytes, userId),
  })
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
