import type { ClusterRole } from '../compose/deps'
import type { ServerConfig } from '../compose/server-config'
import type { Log } from '../core/logging/log'
import { lockDataDir, type DataDirLock } from '../data/folder/lock/lock'
import { HeldFolder } from '../data/folder/presence'
import { sealNewestLog } from '../data/library/journal/seal'

const GONE = 'the data folder is missing: is its disk connected?'
const TAKEN = 'another Slipway took over the data folder while this one was suspended'

/** The data folder while this process has it. */
export interface FolderHold extends Pick<DataDirLock, 'wasAbandoned' | 'look' | 'release'> {
  /** Undefined in a cluster, whose hosts are services. */
  shutDown?: Pick<DataDirLock, 'wasShutDown' | 'markShutDown'>
  role: ClusterRole
}

type Place = Pick<ServerConfig, 'dataDir' | 'lockSilenceMs'>

/** Takes the data folder; a host of a cluster has it already. Throws DataDirLockedError. */
export async function takeFolder(
  { dataDir, lockSilenceMs }: Place,
  role: ClusterRole,
): Promise<FolderHold> {
  const { lease, replica, own, onClosed } = role
  if (own) {
    const release = async () => {
      await replica?.close()
      await lease?.resign()
      await onClosed?.()
    }
    return { role, wasAbandoned: false, look: () => own.lock.look(), release }
  }
  const lock = await lockDataDir(dataDir, { silenceMs: lockSilenceMs })
  if (lock.wasSilent) await sealNewestLog(dataDir)
  return { ...lock, role, shutDown: lock }
}

/**
 * Watches over it. `closeToInternet` runs when it is lost; in a cluster another host can
 * take over then.
 */
export function holdFolder(
  { look, role: { lease, replica } }: FolderHold,
  { dataDir: dir }: Pick<ServerConfig, 'dataDir'>,
  log: Log,
  closeToInternet: () => void,
): HeldFolder {
  const onLost = (isTaken: boolean) => {
    const why = isTaken ? TAKEN : GONE
    log.error({ dir }, why)
    closeToInternet()
    lease?.lose(why)
    replica?.lose(why)
  }
  return new HeldFolder(look, onLost, replica === undefined)
}
