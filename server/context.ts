import type Koa from 'koa'
import { tierQuota } from './contract'
import { composeDeletion } from './deletion'
import { Passwords } from './features/accounts/passwords'
import { SessionStore } from './features/accounts/session-store'
import { SignInThrottle } from './features/accounts/sign-in-throttle'
import { UserStore } from './features/accounts/user-store'
import { ApiKeyStore } from './features/api-keys/key-store'
import { PostStore } from './features/feed/post-store'
import { deliverFiles } from './features/files/deliver'
import { FileStore, type FileRecord } from './features/files/file-store'
import { versionIn } from './features/files/filename'
import { filePolicy } from './features/files/policy'
import { RunningTransfers } from './features/files/running-transfers'
import { linkingTo } from './features/projects/linking'
import { projectPolicy, roleIn } from './features/projects/policy'
import { ProjectStore } from './features/projects/project-store'
import { Quota } from './features/quota/quota'
import { Counts } from './features/stats/counts'
import { Downloads } from './features/stats/downloads'
import { Visits } from './features/stats/visits'
import { Trash } from './features/trash/trash'
import type { Bound } from './http/listener'
import { Sessions } from './http/sessions'
import type { Log } from './log'
import { SidecarWriter } from './maintenance/sidecar-writer'
import { watchChanges } from './maintenance/watch-changes'
import { Blobs } from './storage/blobs'
import { Library } from './storage/library'
import { loadSecrets } from './storage/secrets'
import { Settings } from './storage/settings'
import type { World } from './world'

/** Plain data, so that the server can move to another process without changing. */
export interface ServerConfig {
  /** Library, blobs, settings and secrets live here. One process owns it. */
  dataDir: string
  /** The built UI. */
  uiDir: string
  version: string
  /** Overrides of the settings for this run. */
  host?: string
  port?: number
  publicUrl?: string
  /** False turns all rate limits off, for load tests. */
  rateLimits?: boolean
  /** Bytes of log after which a snapshot is taken; small ones for tests. */
  checkpointBytes?: number
  /** The secret that the app window adds to its own requests; absent on headless hosts. */
  windowSecret?: string
}

/** Everything impure. Tests replace these; nothing else is ever mocked. */
export interface Deps {
  world: World
  log: Log
}

/** The composition root of the server: every long-lived object is built here, once. */
export async function createContext(config: ServerConfig, { world, log }: Deps, app: Koa, bound: () => Bound) {
  const { dataDir } = config
  const [settings, secrets, blobs] = await Promise.all([
    Settings.open(dataDir),
    loadSecrets(dataDir),
    Blobs.open(dataDir),
  ])
  const library = await Library.open({ dir: dataDir, log, now: () => world.now(), ...checkpoints(config) })
  const users = new UserStore(library, world)
  const sessions = new Sessions(new SessionStore(library), app, secrets.sessionKeys, () => world.now())
  const files = new FileStore(library, world)
  const projects = new ProjectStore(library, world)
  const counts = new Counts(library, new Visits(world), world)
  const mayOnFile = filePolicy((fileId, userId) => projects.isShared(fileId, userId))
  const [runningTransfers, downloads] = [new RunningTransfers(), new Downloads(counts, world)]
  const tierOf = (userId: string) => users.find(userId)?.tier ?? 'Free'
  const trash = new Trash({ library, world, limit: (userId) => tierQuota[tierOf(userId)] })
  const posts = new PostStore(library, world)
  const quota = new Quota({
    used: (userId) => files.usedBy(userId),
    byKind: (userId) => files.byKind(userId),
    tierOf,
    freeDisk: () => blobs.free(),
    makeRoom: (bytes) => trash.makeRoom(bytes),
  })
  const known = {
    fileOfBlob: (blobId: string) => files.ofBlob(blobId),
    trashOfBlob: (blobId: string) => trash.ofBlob(blobId),
    user: (id: string) => users.find(id),
    project: (id: string) => projects.find(id),
    projectsOffering: (fileId: string) => projects.offering(fileId),
  }
  const sidecars = await SidecarWriter.open({ dir: dataDir, blobs, known, log })
  const ofOwner = (userId: string) => files.ownedBy(userId).map((file) => file.blobId)
  const blobOf = (fileId: string) => files.find(fileId)?.blobId
  watchChanges(library, { blobOf, blobsOfOwner: ofOwner }, (blobId) => sidecars.changed(blobId))
  const limits = config.rateLimits === false ? undefined : settings.get().limits
  return {
    ...{ limits, signInThrottle: new SignInThrottle(limits) },
    ...{ log, bound, version: config.version, windowSecret: config.windowSecret ?? null },
    /** The address from outside, such as `https://builds.example`; null: none is set. */
    publicUrl: () => config.publicUrl ?? settings.get().publicUrl,
    ...{ settings, library, blobs, sidecars, users, sessions, files, projects, posts, counts, trash, quota },
    apiKeys: new ApiKeyStore(library, world),
    passwords: new Passwords(),
    ...composeDeletion({ library, blobs, files, projects, posts, counts, trash }),
    filePolicy: mayOnFile,
    projectPolicy,
    roleIn,
    linkingTo: linkingTo(projects),
    versionOf: (file: FileRecord) => file.version ?? projects.newestVersionOf(file.id) ?? versionIn(file.filename),
    runningTransfers,
    deliver: deliverFiles({ ...{ blobs, files, users, runningTransfers }, filePolicy: mayOnFile, downloads }),
  }
}

export type AppContext = Awaited<ReturnType<typeof createContext>>

const checkpoints = ({ checkpointBytes }: ServerConfig) => (checkpointBytes === undefined ? {} : { checkpointBytes })
