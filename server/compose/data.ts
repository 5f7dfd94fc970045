import { DamagedBlobs } from '../data/blobs/damaged-blobs'
import { heldDisk, saveFailure } from '../data/folder/presence'
import { watchData } from '../data/folder/watch-presence'
import { TrustedClock } from '../data/library/trusted-clock'
import { Catalogue } from '../data/repair/catalogue'
import { ReleaseKeys } from '../data/settings/release-keys'
import { Settings } from '../data/settings/settings'
import type { Disk } from '../core/durable-file'
import type { Log } from '../core/logging/log'
import type { Deps, HostDeps } from './deps'
import type { ServerConfig } from './server-config'

export type Data = Awaited<ReturnType<typeof openData>>

/**
 * Opens the data folder: settings, secrets, library and blobs. Throws LibraryDamagedError and
 * SettingsError.
 */
export async function openData(config: ServerConfig, { sources, log }: Deps, hostDeps: HostDeps) {
  const { held, role, wasAbandoned } = hostDeps
  const { dataDir, checkpointBytes } = config
  const disk = role.wrapDisk(heldDisk(held))

  // Load this first, on its own: with invalid settings the folder is released, and no write may be
  // running then.
  const settings = await Settings.open(dataDir, disk)
  const now = () => sources.now()
  const trustedNow = () => clock.now()
  const options = { dataDir, disk, held, log, now, trustedNow, checkpointBytes }
  const stores = await role.openStores(options)

  const { library, secrets } = stores
  const clock = new TrustedClock(library, sources)

  return {
    ...stores,
    dataDir,
    disk,
    held,
    role,
    /** The contract code of the reason why nothing can be saved, or null. */
    trouble: () => saveFailure(held, library, role.primary?.trouble),
    presence: watchData({ dir: dataDir, held, secrets }),
    settings,
    damaged: await DamagedBlobs.open({ dataDir, disk, log }),
    releaseKeys: openReleaseKeys(dataDir, disk, log),
    catalogue: new Catalogue({ dataDir, library, disk, log, wasAbandoned }),
    clock,
  }
}

function openReleaseKeys(dir: string, disk: Disk, log: Log): ReleaseKeys {
  const made = (kind: string) =>
    log.info({ kind }, 'made a key for the repositories and proofs of this host')
  return new ReleaseKeys({ dir, disk, made })
}
