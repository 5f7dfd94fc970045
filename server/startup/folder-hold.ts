import type { ServerConfig } from '../compose/server-config'
import type { Log } from '../core/logging/log'
import type { Office } from '../data/engine/office'
import { lockDataDir, type DataDirLock } from '../data/folder/lock/lock'
import { HeldFolder } from '../data/folder/presence'
import { sealNewestLog } from '../data/library/journal/seal'

const GONE = 'the data folder is missing: is its disk connected?'
const TAKEN = 'another Slipway took over the data folder while this one was suspended'

/** The data folder while this process has it: by its lock, and in a cluster by its office. */
export interface FolderHold extends Pick<DataDirLock, 'wasAbandoned' | 'look' | 'release'> {
  office: Office | undefined
}

/** Takes the data folder. Throws DataDirLockedError; the office is given up then. */
export async function takeFolder(
  { dataDir, lockSilenceMs }: Pick<ServerConfig, 'dataDir' | 'lockSilenceMs'>,
  office: Office | undefined,
): Promise<FolderHold> {
  const confirmOffice = office && (() => office.fresh())
  let lock: DataDirLock | undefined
  const release = async () => {
    await lock?.release()
    await office?.resign()
  }
  try {
    lock = await lockDataDir(dataDir, { silenceMs: lockSilenceMs, confirmOffice })
    if (lock.wasSilent) await sealNewestLog(dataDir)
    return { ...lock, office, release }
  } catch (error) {
    await release()
    throw error
  }
}

/** Watches over it. `closeToInternet` runs when it is lost; in a cluster another host can go on then. */
export function holdFolder(
  { look, office }: FolderHold,
  { dataDir: dir }: Pick<ServerConfig, 'dataDir'>,
  log: Log,
  closeToInternet: () => void,
): HeldFolder {
  return new HeldFolder(look, (isTaken) => {
    const why = isTaken ? TAKEN : GONE
    log.error({ dir }, why)
    closeToInternet()
    office?.lose(why)
  })
}
