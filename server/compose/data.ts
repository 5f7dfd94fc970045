import { DiskBlobs } from '../data/blobs/disk-blobs'
import { heldDisk } from '../data/folder/presence'
import { saveFailure } from '../data/folder/save-failure'
import { watchData } from '../data/folder/watch-presence'
import { Library } from '../data/library/library'
import { TrustedClock } from '../data/library/trusted-clock'
import { Catalogue } from '../data/repair/catalogue'
import { loadSecrets } from '../data/settings/secrets'
import { ReleaseKeys } from '../data/settings/release-keys'
import { Settings } from '../data/settings/settings'
import type { Office } from '../data/engine/office'
import type { Deps, Ground } from './deps'
import type { ServerConfig } from './server-config'

export type Data = Awaited<ReturnType<typeof openData>>

/** Opens the data folder: settings, secrets, library and blobs. Throws LibraryDamagedError and SettingsError. */
export async function openData(config: ServerConfig, { sources, log }: Deps, { held, office, wasAbandoned }: Ground) {
  const { dataDir, checkpointBytes } = config
  const disk = heldDisk(held)
  const [settings, secrets, blobs] = await Promise.all([
    Settings.open(dataDir, disk),
    loadSecrets(dataDir),
    DiskBlobs.open(dataDir, { confirm: () => held.require(), now: () => clock.now() }),
  ])
  const checkpoints = checkpointBytes === undefined ? {} : { checkpointBytes }
  const library = office
    ? await Library.on(await openLedger(office, log), log)
    : await Library.open({ dir: dataDir, log, now: () => sources.now(), disk, ...checkpoints })
  const clock = new TrustedClock(library, sources)
  return {
    dataDir,
    disk,
    held,
    office,
    /** Why nothing can be saved now, as a contract code; null: saving works. */
    trouble: () => saveFailure(held, library),
    presence: watchData({ dir: dataDir, held, secrets }),
    settings,
    secrets,
    releaseKeys: new ReleaseKeys({
      dir: dataDir,
      disk,
      made: (kind) => log.info({ kind }, 'made a key for the repositories and proofs of this host'),
    }),
    library,
    /** Reads the library for a backup, where it is not in the folder. */
    readElsewhere: office && (() => readFrom(office)),
    /** The hosts of the cluster, as they reported. */
    listHosts: office && (() => hostsOf(office)),
    blobs,
    catalogue: new Catalogue({ dataDir, library, disk, log, wasAbandoned }),
    clock,
  }
}

/** Loaded only in a cluster. */
async function openLedger(office: Office, log: Deps['log']) {
  const { openEngineLedger } = await import('../data/engine/open-engine-ledger')
  return openEngineLedger(office, log)
}

async function readFrom(office: Office) {
  const { readFromEngine } = await import('../data/engine/open-engine-ledger')
  return readFromEngine(office)
}

async function hostsOf(office: Office) {
  const { listHostsBy } = await import('../data/engine/open-engine-ledger')
  return listHostsBy(office)
}
