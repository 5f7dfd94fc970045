import type { Sources } from '../core/clock'
import type { Log } from '../core/logging/log'
import type { HeldFolder } from '../data/folder/presence'
import type { Bound } from '../http/listen/listener'
import type { OutsideDoor } from '../http/listen/outside-door'
import type { Offer } from '../http/listen/secure-door'

/** Everything impure. Tests replace only these. */
export interface Deps {
  sources: Sources
  log: Log
}

/** The folder and the listener that the server runs on. */
export interface Ground {
  held: HeldFolder
  /** Whether the last host on this folder ended without closing. */
  wasAbandoned: boolean
  bound: () => Bound
  listen: (next: Bound) => Promise<Bound>
  /** Sets the certificate for new connections; undefined: plain HTTP only. */
  secure: (offer: Offer | undefined) => void
  outsideDoor: OutsideDoor
}
