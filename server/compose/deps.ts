import type { Sources } from '../core/clock'
import type { Log } from '../core/logging/log'
import type { InternalApi, InternalApiOptions } from '../cluster/forwarding/internal-api'
import type { OwnFolder } from '../cluster/folder/own-folder'
import type { Replica } from '../cluster/replica'
import type { WriterLease } from '../data/postgres/writer-lease'
import type { HeldFolder } from '../data/folder/presence'
import type { Bound } from '../http/listen/listener'
import type { OutsideDoor } from '../http/listen/outside-door'
import type { Certificates } from '../http/listen/secure-door'
import type { RouterAccess } from '../features/internet/needs'
import type { PackageReader } from '../libraries/package-reader/package-reader'
import type { PictureMaker } from '../libraries/picture-maker/picture-maker'

/** All impure dependencies. Tests replace only these. */
export interface Deps {
  sources: Sources
  log: Log
  /**
   * Undefined: the server's own replica. The hosts of a test process share one, so that its worker
   * starts once.
   */
  packages?: Pick<PackageReader, 'look' | 'close'> | undefined
  /** Undefined: the server's own. Tests share one in the same way. */
  pictureMaker?: Pick<PictureMaker, 'make' | 'draw' | 'close'> | undefined
  /** Finds the routers of this network. Undefined: the default search. */
  routers?: RouterAccess
}

/** The role of this server in its cluster: primary or replica. */
export interface ClusterRole {
  lease?: WriterLease
  replica?: Replica
  /** The data folder of a host of a cluster. */
  own?: OwnFolder
  /** Opens the private door of the primary, by which replicas reach it. */
  openDoor?: (
    serving: Pick<InternalApiOptions, 'answer' | 'onActivity' | 'trouble'>,
  ) => Promise<InternalApi>
  /**
   * Runs when everything is ready to listen. The process that listens at this address then ends.
   */
  beforeListening?: () => Promise<void>
  /** Runs after the server has closed. */
  onClosed?: () => Promise<void>
}

/** The folder and the listener that the server uses. */
export interface HostDeps {
  held: HeldFolder
  /** Only at the primary of a cluster. Without this and `replica`, the library is in the folder. */
  lease: WriterLease | undefined
  /** Only at a host of a cluster that is not its primary. */
  replica: Replica | undefined
  /** See `ClusterRole`. */
  own: OwnFolder | undefined
  /** Whether the last host on this folder ended without closing. */
  wasAbandoned: boolean
  bound: () => Bound
  listen: (next: Bound) => Promise<Bound>
  /** Sets the certificates for new connections; none: plain HTTP only. */
  secure: (certificates: Certificates) => void
  outsideDoor: OutsideDoor
}
