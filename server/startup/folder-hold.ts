import type { ClusterRole } from '../compose/deps'
import type { ServerConfig } from '../compose/server-config'
import type { Log } from '../core/logging/log'
import { lockDataDir, type DataDirLock } from '../data/folder/lock/lock'
import { HeldFolder } from '../data/folder/presence'
import type { Hold } from '../data/folder/lock/own-lock'
import { clusterMarkIn } from '../data/library/cluster-mark'
import { sealNewestLog } from '../data/library/journal/seal'

const GONE = 'the data folder, or that of --blobs, is missing: is its disk connected?'
const TAKEN = 'another Slipway took over the data folder while this one was suspended'

/**
 * The data folder while this process has it: by its lock, and in a cluster by its office. A reader
 * only looks at it.
 */
export interface FolderHold extends Pick<DataDirLock, 'wasAbandoned' | 'look' | 'release'> {
  /** Undefined in a cluster, whose hosts are services. */
  shutDown?: Pick<DataDirLock, 'wasShutDown' | 'markShutDown'>
  role: ClusterRole
}

type Place = Pick<ServerConfig, 'dataDir' | 'blobs' | 'lockSilenceMs'>

/** Takes the data folder. Throws DataDirLockedError; the office is given up then. */
export async function takeFolder(
  { dataDir, blobs, lockSilenceMs }: Place,
  role: ClusterRole,
): Promise<FolderHold> {
  const { office, reader, own, onClosed } = role
  if (reader) {
    const leave = async () => {
      await reader.close()
      await onClosed?.()
    }
    return {
      role,
      wasAbandoned: false,
      look: () => own?.look() ?? findMember(dataDir),
      release: leave,
    }
  }
  const confirmOffice = office && (() => office.fresh())
  let lock: DataDirLock | undefined
  const release = async () => {
    await lock?.release()
    await office?.resign()
    await onClosed?.()
  }
  try {
    // An own folder has its lock already; what the hosts share, its writer locks.
    const shared = own ? blobs : dataDir
    if (shared !== undefined)
      lock = await lockDataDir(shared, { silenceMs: lockSilenceMs, confirmOffice })
    if (lock?.wasSilent) await sealNewestLog(dataDir)
    // A lock can also be made where the disk of the bytes is missing.
    if (own && (await own.look()) !== 'ours') throw new Error(GONE)
    if (!own && lock) return { ...lock, role, release, shutDown: lock }
    const look = () => checkLocks(own?.lock, lock)
    return { role, wasAbandoned: lock?.wasAbandoned ?? false, look, release }
  } catch (error) {
    await release()
    throw error
  }
}

/** Whether all that this process locks is there and its. */
async function checkLocks(...locks: (Pick<DataDirLock, 'look'> | undefined)[]): Promise<Hold> {
  for (const lock of locks) {
    const hold = (await lock?.look()) ?? 'ours'
    if (hold !== 'ours') return hold
  }
  return 'ours'
}

/** A reader does not lock the folder: its writer does. */
async function findMember(dataDir: string): Promise<Hold> {
  return (await clusterMarkIn(dataDir).read()) === undefined ? 'gone' : 'ours'
}

/**
 * Watches over it. `closeToInternet` runs when it is lost; in a cluster another host can go on
 * then.
 */
export function holdFolder(
  { look, role: { office, reader } }: FolderHold,
  { dataDir: dir }: Pick<ServerConfig, 'dataDir'>,
  log: Log,
  closeToInternet: () => void,
): HeldFolder {
  const onLost = (isTaken: boolean) => {
    const why = isTaken ? TAKEN : GONE
    log.error({ dir }, why)
    closeToInternet()
    office?.lose(why)
    reader?.lose(why)
  }
  return new HeldFolder(look, onLost, reader === undefined)
}
