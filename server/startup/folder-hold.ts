import type { HostDeps } from '../compose/deps'
import type { Hold } from '../data/folder/lock/own-lock'
import { HeldFolder } from '../data/folder/presence'
import type { Log } from '../core/logging/log'

const GONE = 'the data folder is missing: is its disk connected?'
const TAKEN = 'another Slipway took over the data folder while this one was suspended'

interface Watching {
  log: Log
  closeToInternet: () => void
}

/** Watches over the data folder. `closeToInternet` runs when it is lost. */
export function watchFolder(
  dir: string,
  look: () => Promise<Hold>,
  { role, log, closeToInternet }: Pick<HostDeps, 'role'> & Watching,
): HeldFolder {
  const onLost = (isTaken: boolean) => {
    const why = isTaken ? TAKEN : GONE
    log.error({ dir }, why)
    closeToInternet()
    role.lose?.(why)
  }
  return new HeldFolder(look, onLost, role.primary === undefined)
}
