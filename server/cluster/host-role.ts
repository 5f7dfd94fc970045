import type { Middleware } from 'koa'
import type { Disk } from '../core/durable-file'
import type { Log } from '../core/logging/log'
import type { BlobStore } from '../data/blobs/blob-store'
import type { DataDirLock } from '../data/folder/lock/lock'
import type { HeldFolder } from '../data/folder/presence'
import type { Library } from '../data/library/library'
import type { LibrarySnapshot } from '../data/library/read-library'
import type { AuditSender } from '../data/postgres/files/audit-sender'
import type { ClusterLag, listHosts } from '../data/postgres/hosts'
import type { Secrets } from '../data/settings/secrets'
import type { PrimaryBlobs } from './blobs/primary-blobs'
import type { FolderPlace } from './folder/own-folder'
import type { InternalApi, InternalApiOptions } from './forwarding/internal-api'
import type { ForwardingRules } from './forwarding/request-guards'
import type { Replica } from './replica'

/**
 * The role of this host: alone, or one of several with one library. It is all that the rest of the
 * server knows of other hosts. What is missing does not concern this role.
 */
export interface HostRole {
  /** The host that makes changes. Undefined: this one does. */
  readonly primary?: Pick<Replica, 'fresh' | 'recordActivity' | 'trouble'>
  /** Whether no other host answers for the same library. */
  readonly isAlone: boolean
  /** How long running requests may take to finish on close, in ms. */
  readonly drainMs: number
  /** Takes the data folder. Throws DataDirLockedError. */
  takeFolder: (place: FolderPlace) => Promise<FolderHold>
  /** The data folder is lost: another host can take over. */
  lose?: (why: string) => void
  /** The disk for settings and keys. */
  wrapDisk: (disk: Disk) => Disk
  /** Throws LibraryDamagedError. */
  openStores: (options: StoreOptions) => Promise<Stores>
  /** What every request passes first. */
  guards: (rules: ForwardingRules) => Middleware[]
  /** Throws `busy` unless this host makes changes. */
  requirePrimary?: () => void
  /** Whether running downloads may continue. */
  maySend?: () => boolean
  /** Answers the other hosts. */
  listenForOthers?: (
    serving: Pick<InternalApiOptions, 'answer' | 'onActivity' | 'trouble'>,
  ) => Promise<InternalApi>
  /**
   * Runs when everything is ready to listen. The process that listens at this address then ends.
   */
  beforeListening?: () => Promise<void>
}

/** The data folder while this process has it. */
export interface FolderHold extends Pick<DataDirLock, 'wasAbandoned' | 'look' | 'release'> {
  /** Missing where hosts are services. */
  shutDown?: Pick<DataDirLock, 'wasShutDown' | 'markShutDown'>
}

export interface StoreOptions {
  dataDir: string
  disk: Disk
  held: HeldFolder
  log: Log
  /** The time of this machine. */
  now: () => Date
  /** The time that a wrong clock does not move far. The library must be open. */
  trustedNow: () => Date
  checkpointBytes?: number | undefined
}

/** What the server stores. */
export interface Stores {
  secrets: Secrets
  library: Library
  blobs: BlobStore
  /** The bucket with the blobs. Missing if they are in the data folder. */
  primaryBlobs?: PrimaryBlobs
  /** Reads the library for a backup, if it is not in the data folder. */
  readElsewhere?: () => Promise<LibrarySnapshot>
  /** Brings what a command gave to all hosts into the data folder. */
  takeShared?: () => Promise<void>
  /** Lists the hosts, as they reported. */
  listHosts?: () => ReturnType<typeof listHosts>
  /** Reads how far the copies of the library are behind. */
  readLag?: () => Promise<ClusterLag>
  auditSender?: AuditSender
}
