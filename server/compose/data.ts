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
import type { WriterLease } from '../data/postgres/writer-lease'
import type { Disk } from '../core/durable-file'
import type { Log } from '../core/logging/log'
import { ReadOnlyHostError } from '../core/errors'
import type { Deps, HostDeps } from './deps'
import type { ServerConfig } from './server-config'

export type Data = Awaited<ReturnType<typeof openData>>

/**
 * Opens the data folder: settings, secrets, library and blobs. Throws LibraryDamagedError and
 * SettingsError.
 */
export async function openData(config: ServerConfig, { sources, log }: Deps, hostDeps: HostDeps) {
  const { held, lease, replica, own, wasAbandoned } = hostDeps
  const { dataDir } = config
  const disk = own && lease ? own.content.wrapDisk(lease, heldDisk(held)) : heldDisk(held)

  // Load this first, on its own: with invalid settings the folder is released, and no write may be
  // running then.
  const settings = await Settings.open(dataDir, disk)
  const [secrets, blobs] = await Promise.all([
    replica ? requireSecrets(dataDir) : loadSecrets(dataDir, disk),
    openBlobs(dataDir, hostDeps, () => clock.now()),
  ])

  const library = await openLibrary(config, { sources, log }, { disk, lease, replica })
  const clock = new TrustedClock(library, sources)

  return {
    dataDir,
    disk,
    held,
    lease,
    replica,
    /** The contract code of the reason why nothing can be saved, or null. */
    trouble: () => saveFailure(held, library, replica?.trouble),
    presence: watchData({ dir: dataDir, held, secrets }),
    settings,
    secrets,
    releaseKeys: openReleaseKeys(dataDir, disk, log),
    library,
    /** Reads the library for a backup, if it is not in the folder. */
    readElsewhere: lease && (() => readFrom(lease)),
    /** Lists the hosts of the cluster, as they reported. */
    listHosts: lease && (() => readHosts(lease)),
    /** Reads how far the copies of the cluster are behind. */
    readLag: lease && (() => readClusterLag(lease)),
    blobs,
    /** The bucket with the bytes of a cluster. Undefined if they are in a folder. */
    blobBucket: own?.blobBucket,
    auditSender: lease && own?.content.openSender(lease, log),
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
  { held, lease, replica, own }: HostDeps,
  now: () => Date,
): Promise<BlobStore> {
  const confirm = () => held.require()
  const deps = { now, ...(replica && { openFile: refuseWrite, isReplica: true }) }

  const blobBucket = own?.blobBucket
  if (!blobBucket) return DiskBlobs.open(dir, { ...deps, confirm })

  const { BucketBlobs } = await import('../data/bucket/blobs/bucket-blobs')
  const confirmLease = async () => {
    await confirm()
    await lease?.fresh()
  }

  return BucketBlobs.open({ ...deps, dir, blobBucket, confirm: confirmLease })
}

/** Opens the library of the folder, or of the cluster. */
async function openLibrary(
  { dataDir, checkpointBytes }: ServerConfig,
  { sources, log }: Deps,
  { disk, lease, replica }: { disk: Disk } & Pick<HostDeps, 'lease' | 'replica'>,
): Promise<Library> {
  if (replica) return replica.openLibrary()
  if (lease) return Library.on(await openCommitLog(lease, log), log)
  const checkpoints = checkpointBytes === undefined ? {} : { checkpointBytes }
  return Library.open({ dir: dataDir, log, now: () => sources.now(), disk, ...checkpoints })
}

const refuseWrite = () => Promise.reject(new ReadOnlyHostError())

/** Loads the secrets that the first primary created. A replica creates none. */
async function requireSecrets(dir: string) {
  const secrets = await readSecrets(dir)
  if (secrets === undefined)
    throw new Error(`There is no ${SECRETS} in ${dir} yet: its first primary makes it`)
  return secrets
}

/** Loads the module only in a cluster. */
async function openCommitLog(lease: WriterLease, log: Deps['log']) {
  const { openPostgresLog } = await import('../data/postgres/open-commit-log')
  return openPostgresLog(lease, log)
}

async function readFrom(lease: WriterLease) {
  const { readFromPostgres } = await import('../data/postgres/open-commit-log')
  return readFromPostgres(lease)
}

async function readClusterLag(lease: WriterLease) {
  const { readLagBy } = await import('../data/postgres/open-commit-log')
  return readLagBy(lease)
}

async function readHosts(lease: WriterLease) {
  const { listHostsBy } = await import('../data/postgres/open-commit-log')
  return listHostsBy(lease)
}
