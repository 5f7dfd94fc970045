import type { Sources } from '../core/clock'
import type { Log } from '../core/logging/log'
import type { Office } from '../data/engine/office'
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
  /** Undefined: the server's own reader. The hosts of a test process share one, whose worker starts once. */
  packages?: Pick<PackageReader, 'look' | 'close'> | undefined
  /** Undefined: the server's own; shared by tests in the same way. */
  pictureMaker?: Pick<PictureMaker, 'make' | 'draw' | 'close'> | undefined
  /** How to find the routers of this network; undefined: as usual. */
  routers?: RouterAccess
}

/** The folder and the listener that the server runs on. */
export interface Ground {
  held: HeldFolder
  /** Undefined: the library is in the folder, not in a cluster. */
  office: Office | undefined
  /** Whether the last host on this folder ended without closing. */
  wasAbandoned: boolean
  bound: () => Bound
  listen: (next: Bound) => Promise<Bound>
  /** Sets the certificates for new connections; none: plain HTTP only. */
  secure: (certificates: Certificates) => void
  outsideDoor: OutsideDoor
}
