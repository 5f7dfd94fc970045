import type { BlobStore } from '../data/blobs/blob-store'
import { DiskBlobs } from '../data/blobs/disk-blobs'
import { heldDisk } from '../data/folder/presence'
import { saveFailure } from '../data/folder/save-failure'
import { watchData } from '../data/folder/watch-presence'
import { Library } from '../data/library/library'
import { TrustedClock } from '../data/library/trusted-clock'
import { Catalogue } from '../data/repair/catalogue'
import { loadSecrets, readSecrets, SECRETS } from '../data/settings/secrets'
import { ReleaseKeys } from '../data/settings/release-keys'
import { Settings } from '../data/settings/settings'
import type { Office } from '../data/engine/office'
import type { Disk } from '../core/durable-file'
import type { Log } from '../core/logging/log'
import { ReaderError } from '../core/errors'
import type { Deps, Ground } from './deps'
import type { ServerConfig } from './server-config'

export type Data = Awaited<ReturnType<typeof openData>>

/**
 * Opens the data folder: settings, secrets, library and blobs. Throws LibraryDamagedError and
 * SettingsError.
 */
export async function openData(config: ServerConfig, { sources, log }: Deps, ground: Ground) {
  const { held, office, reader, own, wasAbandoned } = ground
  const { dataDir } = config
  const disk = own && office ? own.content.wrapDisk(office, heldDisk(held)) : heldDisk(held)

  // Load this first, on its own: with invalid settings the folder is released, and no write may be
  // running then.
  const settings = await Settings.open(dataDir, disk)
  const [secrets, blobs] = await Promise.all([
    reader ? requireSecrets(dataDir) : loadSecrets(dataDir, disk),
    openBlobs(dataDir, ground, () => clock.now()),
  ])

  const library = await openLibrary(config, { sources, log }, { disk, office, reader })
  const clock = new TrustedClock(library, sources)

  return {
    dataDir,
    disk,
    held,
    office,
    reader,
    /** The contract code of the reason why nothing can be saved, or null. */
    trouble: () => saveFailure(held, library, reader?.trouble),
    presence: watchData({ dir: dataDir, held, secrets }),
    settings,
    secrets,
    releaseKeys: openReleaseKeys(dataDir, disk, log),
    library,
    /** Reads the library for a backup, if it is not in the folder. */
    readElsewhere: office && (() => readFrom(office)),
    /** Lists the hosts of the cluster, as they reported. */
    listHosts: office && (() => readHosts(office)),
    blobs,
    /** The bucket with the bytes of a cluster. Undefined if they are in a folder. */
    blobBucket: own?.blobBucket,
    auditSender: office && own?.content.openSender(office, log),
    catalogue: new Catalogue({ dataDir, library, disk, log, wasAbandoned }),
    clock,
  }
}

function openReleaseKeys(dir: string, disk: Disk, log: Log): ReleaseKeys {
  const made = (kind: string) =>
    log.info({ kind }, 'made a key for the repositories and proofs of this host')
  return new ReleaseKeys({ dir, disk, made })
}

/** Opens the blobs of the folder, or of the cluster's bucket. */
async function openBlobs(
  dir: string,
  { held, office, reader, own }: Ground,
  now: () => Date,
): Promise<BlobStore> {
  const confirm = () => held.require()
  const deps = { now, ...(reader && { openFile: refuseWrite, isReader: true }) }

  const blobBucket = own?.blobBucket
  if (!blobBucket) return DiskBlobs.open(dir, { ...deps, confirm })

  const { BucketBlobs } = await import('../data/bucket/blobs/bucket-blobs')
  const confirmOffice = async () => {
    await confirm()
    await office?.fresh()
  }

  return BucketBlobs.open({ ...deps, dir, blobBucket, confirm: confirmOffice })
}

/** Opens the library of the folder, or of the cluster. */
async function openLibrary(
  { dataDir, checkpointBytes }: ServerConfig,
  { sources, log }: Deps,
  { disk, office, reader }: { disk: Disk } & Pick<Ground, 'office' | 'reader'>,
): Promise<Library> {
  if (reader) return reader.openLibrary()
  if (office) return Library.on(await openLedger(office, log), log)
  const checkpoints = checkpointBytes === undefined ? {} : { checkpointBytes }
  return Library.open({ dir: dataDir, log, now: () => sources.now(), disk, ...checkpoints })
}

const refuseWrite = () => Promise.reject(new ReaderError())

/** Loads the secrets that the first writer created. A reader creates none. */
async function requireSecrets(dir: string) {
  const secrets = await readSecrets(dir)
  if (secrets === undefined)
    throw new Error(`There is no ${SECRETS} in ${dir} yet: its first writer makes it`)
  return secrets
}

/** Loads the module only in a cluster. */
async function openLedger(office: Office, log: Deps['log']) {
  const { openEngineLedger } = await import('../data/engine/open-engine-ledger')
  return openEngineLedger(office, log)
}

async function readFrom(office: Office) {
  const { readFromEngine } = await import('../data/engine/open-engine-ledger')
  return readFromEngine(office)
}

async function readHosts(office: Office) {
  const { listHostsBy } = await import('../data/engine/open-engine-ledger')
  return listHostsBy(office)
}
