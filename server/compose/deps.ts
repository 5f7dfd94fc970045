import type { Sources } from '../core/clock'
import type { Log } from '../core/logging/log'
import type { InternalApi, InternalApiOptions } from '../cluster/internal-api'
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

/** Everything impure. Tests replace only these. */
export interface Deps {
  sources: Sources
  log: Log
  /**
   * Undefined: the server's own reader. The hosts of a test process share one, whose worker starts
   * once.
   */
  packages?: Pick<PackageReader, 'look' | 'close'> | undefined
  /** Undefined: the server's own; shared by tests in the same way. */
  pictureMaker?: Pick<PictureMaker, 'make' | 'draw' | 'close'> | undefined
  /** How to find the routers of this network; undefined: as usual. */
  routers?: RouterAccess
}

/** What this server is in its cluster: the primary, or a replica. */
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
   * Runs when everything is ready to listen: what has listened at the address of this host ends.
   */
  beforeListening?: () => Promise<void>
  /** Runs when the server has closed. */
  onClosed?: () => Promise<void>
}

/** The folder and the listener that the server runs on. */
export interface HostDeps {
  held: HeldFolder
  /** Of the primary of a cluster. With neither this nor `replica` the library is in the folder. */
  lease: WriterLease | undefined
  /** Of a host of a cluster that is not its primary. */
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
