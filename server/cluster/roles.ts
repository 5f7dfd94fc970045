import { AppError, ReadOnlyHostError } from '../core/errors'
import { Library } from '../data/library/library'
import {
  listHostsBy,
  openPostgresLog,
  readFromPostgres,
  readLagBy,
} from '../data/postgres/open-commit-log'
import type { WriterLease } from '../data/postgres/writer-lease'
import { loadSecrets, readSecrets, SECRETS } from '../data/settings/secrets'
import { BucketBlobs } from './blobs/bucket-blobs'
import { PrimaryBlobs } from './blobs/primary-blobs'
import type { ClusterFile } from './cluster-file'
import type { OwnFolder } from './folder/own-folder'
import { InternalApi } from './forwarding/internal-api'
import { forwardToPrimary, requireFresh } from './forwarding/request-guards'
import type { HostRole } from './host-role'
import type { Replica } from './replica'

/** The next host waits for this one to close. */
const DRAIN_MS = 2000

/** What a host of a cluster has, in either role. */
interface Membership {
  /** Its data folder. */
  own: OwnFolder
  /** Runs after the server has closed. */
  onClosed: () => Promise<void>
}

/** The role of the host with the lease. */
export function primaryRole(
  lease: WriterLease,
  membership: Membership,
  { address, secret }: Pick<ClusterFile, 'address' | 'secret'>,
): HostRole {
  const { own } = membership
  return {
    ...inCluster(lease, membership, () => lease.resign()),
    wrapDisk: (disk) => own.content.wrapDisk(lease, disk),
    guards: () => [requireFresh(lease)],
    listenForOthers: (serving) =>
      InternalApi.open({ address, secret, ...serving, isPrimary: () => lease.holdsLease() }),

    async openStores({ dataDir: dir, disk, held, log, trustedNow: now }) {
      const confirm = async () => {
        await held.require()
        await lease.fresh()
      }
      const [secrets, blobs] = await Promise.all([
        loadSecrets(dir, disk),
        BucketBlobs.open({ dir, blobBucket: own.blobBucket, now, confirm }),
      ])
      return {
        secrets,
        blobs,
        library: await Library.on(openPostgresLog(lease, log), log),
        primaryBlobs: new PrimaryBlobs(own.blobBucket),
        readElsewhere: () => readFromPostgres(lease),
        takeShared: () => own.content.takeNow(lease),
        listHosts: () => listHostsBy(lease),
        readLag: () => readLagBy(lease),
        auditSender: own.content.openSender(lease, log),
      }
    },
  }
}

/** The role of a host that follows the primary. */
export function replicaRole(replica: Replica, membership: Membership): HostRole {
  const { blobBucket } = membership.own
  return {
    ...inCluster(replica, membership, () => replica.close()),
    primary: replica,
    wrapDisk: (disk) => disk,
    guards: (rules) => [requireFresh(replica), forwardToPrimary(replica, rules)],
    requirePrimary() {
      throw new AppError('busy', 'Another host of this cluster makes changes')
    },

    async openStores({ dataDir: dir, held, trustedNow: now }) {
      const confirm = () => held.require()
      const openFile = () => Promise.reject(new ReadOnlyHostError())
      const [secrets, blobs] = await Promise.all([
        requireSecrets(dir),
        BucketBlobs.open({ dir, blobBucket, now, confirm, openFile, isReplica: true }),
      ])
      const library = await replica.openLibrary()
      return { secrets, blobs, library, primaryBlobs: new PrimaryBlobs(blobBucket) }
    },
  }
}

const inCluster = (
  member: Pick<WriterLease | Replica, 'holdsLease' | 'lose'>,
  { own, onClosed }: Membership,
  leave: () => Promise<void>,
) => ({
  isAlone: false,
  drainMs: DRAIN_MS,
  async takeFolder() {
    const release = () => leave().then(onClosed)
    return { wasAbandoned: false, look: () => own.lock.look(), release }
  },
  lose: (why: string) => void member.lose(why),
  // Cut off from PostgreSQL, this host may know less than the others: running downloads end.
  maySend: () => member.holdsLease(),
})

/** Loads the secrets that the first primary created. A replica creates none. */
async function requireSecrets(dir: string) {
  const secrets = await readSecrets(dir)
  if (secrets === undefined)
    throw new Error(`There is no ${SECRETS} in ${dir} yet: its first primary makes it`)
  return secrets
}
