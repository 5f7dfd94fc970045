import { DiskBlobs } from '../data/blobs/disk-blobs'
import { lockDataDir } from '../data/folder/lock/lock'
import { sealNewestLog } from '../data/library/journal/seal'
import { Library } from '../data/library/library'
import { loadSecrets } from '../data/settings/secrets'
import type { HostRole } from './host-role'

/** The role of a host without others: its data folder has everything. */
export const singleHost: HostRole = {
  isAlone: true,
  drainMs: 10_000,
  wrapDisk: (disk) => disk,
  guards: () => [],

  async takeFolder({ dataDir, lockSilenceMs }) {
    const lock = await lockDataDir(dataDir, { silenceMs: lockSilenceMs })
    if (lock.wasSilent) await sealNewestLog(dataDir)
    return { ...lock, shutDown: lock }
  },

  async openStores({ dataDir: dir, disk, held, log, now, trustedNow, checkpointBytes }) {
    const [secrets, blobs] = await Promise.all([
      loadSecrets(dir, disk),
      DiskBlobs.open(dir, { now: trustedNow, held }),
    ])
    const checkpoints = checkpointBytes === undefined ? {} : { checkpointBytes }
    return { secrets, blobs, library: await Library.open({ dir, log, now, disk, ...checkpoints }) }
  },
}
