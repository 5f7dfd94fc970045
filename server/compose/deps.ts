import type { Sources } from '../core/clock'
import type { Log } from '../core/logging/log'
import type { HostRole } from '../cluster/host-role'
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
   * Undefined: the server's own. The hosts of a test process share one, so that its worker
   * starts once.
   */
  packages?: Pick<PackageReader, 'look' | 'close'> | undefined
  /** Undefined: the server's own. Tests share one in the same way. */
  pictureMaker?: Pick<PictureMaker, 'make' | 'draw' | 'close'> | undefined
  /** Finds the routers of this network. Undefined: the default search. */
  routers?: RouterAccess
}

/** The folder and the listener that the server uses. */
export interface HostDeps {
  held: HeldFolder
  role: HostRole
  /** Whether the last host on this folder ended without closing. */
  wasAbandoned: boolean
  bound: () => Bound
  listen: (next: Bound) => Promise<Bound>
  /** Sets the certificates for new connections; none: plain HTTP only. */
  secure: (certificates: Certificates) => void
  outsideDoor: OutsideDoor
}
