import type Koa from 'koa'
import { tierQuota, RESUMABLE_UPLOADS } from '../contract'
import { Allowance } from '../access/allowance'
import { composeQuota } from './quota'
import { composeDeletion } from './deletion'
import { Passwords } from '../features/accounts/passwords'
import { SessionStore } from '../features/accounts/session-store'
import { SetupLink } from '../features/accounts/setup-link'
import { SignInThrottle } from '../features/accounts/sign-in-throttle'
import { UserStore } from '../features/accounts/user-store'
import { ApiKeyStore } from '../features/api-keys/key-store'
import { AuditLog, recordBackup } from '../features/audit/audit-log'
import { Backups } from '../features/backups/backups'
import { DataFolder } from '../features/data-folder/data-folder'
import { PostStore } from '../features/feed/post-store'
import { deliverFiles } from '../features/downloads/deliver'
import { FileStore, type FileRecord } from '../features/files/file-store'
import { versionIn } from '../features/files/filename'
import { IdempotencyKeys } from '../features/uploads/idempotency'
import { OfferedFiles } from '../features/local-files/offered-files'
import { filePolicy } from '../features/files/policy'
import { publishFiles } from '../features/files/publish'
import { publishLocalFiles } from '../features/local-files/publish-local'
import { RunningTransfers } from '../features/downloads/running-transfers'
import { InviteStore } from '../features/invites/invite-store'
import { LiveActivity } from '../features/activity/activity'
import { Addresses, ownName } from '../network/addresses'
import { Discovery } from '../network/discovery'
import { Reach } from '../network/reach'
import { Traffic, uploadsEnded } from '../features/activity/traffic'
import { ManageLinks } from '../features/manage/manage-links'
import { joiningTo, linkingTo } from '../features/projects/linking'
import { projectPolicy, roleIn } from '../features/projects/policy'
import { ProjectEvents } from '../features/projects/project-events'
import { ProjectStore } from '../features/projects/project-store'
import type { Quota } from '../features/quota/quota'
import { Counts } from '../features/stats/counts'
import { Downloads } from '../features/stats/downloads'
import { Visits } from '../features/stats/visits'
import { Trash } from '../features/trash/trash'
import { ResumableUploads } from '../features/resumable-uploads/resumable-uploads'
import { UploadStore } from '../features/resumable-uploads/upload-store'
import { WatchStore } from '../features/watches/watch-store'
import { EventStreams } from '../http/endpoint/event-stream'
import { discoveryName } from '../http/pipeline/host-check'
import { usualPatience, type Bound } from '../http/listen/listener'
import type { Offer } from '../http/listen/secure-door'
import { servingFrom } from '../http/pipeline/serving'
import { Sessions } from '../http/pipeline/sessions'
import { TransferLimits } from '../http/transfers/transfer-limits'
import type { Log } from '../core/logging/log'
import { SidecarWriter } from '../data/sidecars/sidecar-writer'
import { watchChanges } from '../data/sidecars/watch-changes'
import { PackageReader } from '../packages/package-reader'
import { Blobs } from '../data/blobs/blobs'
import { heldDisk, type HeldFolder } from '../data/folder/presence'
import { Library } from '../data/library/library'
import { loadSecrets } from '../data/settings/secrets'
import { Settings } from '../data/settings/settings'
import type { ServerConfig } from './server-config'
import { Https } from '../network/tls/https'
import { troubleOf } from '../data/folder/save-failure'
import { composeWatching } from './watching'
import { watchData } from '../data/folder/watch-presence'
import { TrustedClock } from '../data/library/trusted-clock'
import type { World } from '../core/clock'

/** Everything impure. Tests replace these; nothing else is ever mocked. */
export interface Deps {
  world: World
  log: Log
}

/** What the server stands on: its data folder, where it listens, and how it moves elsewhere. */
interface Ground {
  held: HeldFolder
  bound: () => Bound
  listen: (next: Bound) => Promise<Bound>
  /** What connections are offered from now on; undefined: plain HTTP only. */
  secure: (offer: Offer | undefined) => void
}

/** The composition root of the server: every long-lived object is built here, once. */
export async function createContext(config: ServerConfig, { world, log }: Deps, app: Koa, ground: Ground) {
  const { bound, held } = ground
  const { dataDir } = config
  const disk = heldDisk(held)
  const [settings, secrets, blobs] = await Promise.all([
    Settings.open(dataDir, disk),
    loadSecrets(dataDir),
    Blobs.open(dataDir, { confirm: () => held.require(), now: () => clock.now() }),
  ])
  const library = await Library.open({ dir: dataDir, log, now: () => world.now(), disk, ...checkpoints(config) })
  const clock = new TrustedClock(library, world)
  const trouble = () => troubleOf(held, library)
  const users = new UserStore(library, world, () => settings.get().defaultTier)
  const sessionStore = new SessionStore(library, () => settings.get().limits.sessionsPerAccount)
  const sessions = new Sessions(sessionStore, app, secrets.sessionKeys, () => world.now())
  const allowance = new Allowance({ settings, fits: (userId, more) => quota.fits(userId, more) })
  const files = new FileStore(library, world)
  const [projects, projectEvents] = [new ProjectStore(library, world, allowance), new ProjectEvents()]
  const counts = new Counts(library, new Visits(world), world)
  const mayOnFile = filePolicy((fileId, userId) => projects.isShared(fileId, userId))
  const [runningTransfers, downloads] = [new RunningTransfers(), new Downloads(counts, world)]
  const tierOf = (userId: string) => users.find(userId)?.tier ?? 'Free'
  const trash = new Trash({
    ...{ library, clock, limit: (userId) => tierQuota[tierOf(userId)] },
    mostProjects: () => settings.get().limits.projectsPerAccount,
  })
  const [posts, watches] = [new PostStore(library, world, allowance), new WatchStore(library, world)]
  const uploads = new UploadStore(library, world, clock, allowance)
  const quota: Quota = composeQuota({ blobs, files, projects, posts, uploads, trash, tierOf })
  const known = {
    fileOfBlob: (blobId: string) => files.ofBlob(blobId),
    trashOfBlob: (blobId: string) => trash.ofBlob(blobId),
    user: (id: string) => users.find(id),
    project: (id: string) => projects.find(id),
    linksTo: (fileId: string) => projects.links.ofFile(fileId),
  }
  const sidecars = await SidecarWriter.open({ dir: dataDir, blobs, known, log })
  const ofOwner = (userId: string) => files.ownedBy(userId).map((file) => file.blobId)
  const blobOf = (fileId: string) => files.find(fileId)?.blobId
  const linksOf = (projectId: string) => projects.links.ofProject(projectId)
  watchChanges(library, { blobOf, blobsOfOwner: ofOwner, linksOf }, (blobId) => sidecars.changed(blobId))
  const publicUrl = () => config.publicUrl ?? settings.get().publicUrl
  const httpsChoice = () => config.https ?? settings.get().https
  const https = new Https({
    ...{ dataDir, disk, log, choice: httpsChoice, now: () => world.now(), secure: ground.secure },
    names: () => ({ names: [...new Set(['localhost', discoveryName(), ownName()])], addresses: present() }),
  })
  const addresses = new Addresses({ bound, publicUrl, https, log })
  const present = (): string[] => addresses.own().map((it) => it.address)
  const reach = new Reach({ bound, listen: ground.listen, present })
  const [traffic, events] = [new Traffic({ world, nameOf: (userId) => users.nameOf(userId) }), new EventStreams()]
  const apiKeys = new ApiKeyStore(library, world, allowance)
  const named = { nameOf: (userId: string) => users.nameOf(userId), keyName: (id: string) => apiKeys.find(id)?.name }
  const transferLimits = new TransferLimits(() => (config.rateLimits === false ? undefined : settings.get().limits))
  const packages = new PackageReader(log, config.packageReader)
  const publishFile = publishFiles({ blobs, files, sidecars, packages })
  const finishing = {
    store: uploads,
    partial: blobs.partial,
    publishFile,
    linkingTo: linkingTo(projects, projectEvents),
  }
  const resumable = new ResumableUploads({ ...finishing, quota, log, ...usualPatience, ...config.patience })
  await resumable.recover()
  const dataFolder = new DataFolder({
    ...{ dataDir, homeDir: config.homeDir ?? dataDir, log, world },
    quiet: () => uploadsEnded(traffic),
  })
  const limits = config.rateLimits === false ? undefined : settings.get().limits
  const audit = await AuditLog.open(dataDir, log, { world, ...named, confirm: () => held.require() })
  const publishLocal = publishLocalFiles({ dataDir, blobs, quota, publishFile })
  const { linkingTo: link } = finishing
  return {
    ...{ limits, signInThrottle: new SignInThrottle(limits), setupLink: new SetupLink() },
    manageLinks: new ManageLinks(world),
    serving: servingFrom(config),
    ...{ held, trouble, presence: watchData({ dir: dataDir, held, secrets }) },
    ...{ world, log, clock, dataDir, bound, version: config.version, windowSecret: config.windowSecret ?? null },
    resumableUploads: config.resumableUploads ?? RESUMABLE_UPLOADS,
    /** The address from outside, such as `https://builds.example`; null: none is set. */
    publicUrl,
    trustedProxies: () => config.trustProxy ?? settings.get().trustedProxies,
    /** The settings that the command line of this run decides. */
    overridden: [
      ...(config.publicUrl === undefined ? [] : (['public_url'] as const)),
      ...(config.trustProxy === undefined ? [] : (['trusted_proxies'] as const)),
      ...(config.https === undefined ? [] : (['https', 'https_certificate', 'https_key'] as const)),
    ],
    ...{ https, httpsChoice, addresses },
    reach,
    discovery: new Discovery({
      bound,
      address: () => addresses.bestOwn(),
      name: () => settings.get().name,
      version: config.version,
      log,
    }),
    ...{ traffic, events, activity: new LiveActivity({ traffic, addresses, reach, events, dataDir }) },
    ...{ settings, library, blobs, sidecars, users, sessions, files, projects, posts, counts, trash, quota },
    apiKeys,
    invites: new InviteStore(library, world, joiningTo(projects, projectEvents)),
    audit,
    dataFolder,
    backups: await Backups.open({
      ...{ dataDir, disk, log, world, clock, isMoving: () => dataFolder.isMoving },
      onMade: (path) => recordBackup(dataDir, world.now(), path),
    }),
    passwords: new Passwords(config.passwordCost, limits ? undefined : Infinity),
    ...composeDeletion({ library, blobs, files, projects, posts, counts, trash, watches }),
    ...composeWatching({
      ...{ watches, log, users, files, projects, audit, publishLocal, linkingTo: link },
      isReadOnly: () => trouble() !== null,
      pace: config.watchPace,
    }),
    filePolicy: mayOnFile,
    projectPolicy,
    projectEvents,
    roleIn,
    linkingTo: link,
    /** What a person has said, the package tells, or the filename. */
    versionOf: ({ id, version, packageVersion, filename }: FileRecord) =>
      version ?? projects.links.newestVersionOf(id) ?? packageVersion ?? versionIn(filename),
    offeredFiles: new OfferedFiles(),
    ...{ packages, publishFile, publishLocal, uploads, resumable },
    idempotency: new IdempotencyKeys(library, world),
    ...{ runningTransfers, transferLimits },
    ...deliverFiles({
      ...{ blobs, files, runningTransfers, transferLimits, downloads, traffic },
      filePolicy: mayOnFile,
    }),
  }
}

export type AppContext = Awaited<ReturnType<typeof createContext>>

const checkpoints = ({ checkpointBytes }: ServerConfig) => (checkpointBytes === undefined ? {} : { checkpointBytes })
