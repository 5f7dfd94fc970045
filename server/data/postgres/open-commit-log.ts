import type { ClusterHost } from '../../contract'
import type { Log } from '../../core/logging/log'
import type { LibraryData } from '../library/library-data'
import type { LibrarySnapshot } from '../library/read-library'
import { SCHEMA } from '../library/schema'
import { drop } from './fresh-checks'
import { listHosts, readLag, type ClusterLag } from './hosts'
import { PostgresCommitLog } from './postgres-commit-log'
import { readSnapshot, rewriteRows, type ClusterSnapshot } from './rows'
import type { WriterLease } from './writer-lease'

const LATE = 'another host took over while this one read the records'

/** The commit log of the library whose primary this process is. */
export const openPostgresLog = (
  lease: WriterLease,
  log: Pick<Log, 'info' | 'error'>,
): PostgresCommitLog =>
  new PostgresCommitLog({
    lease,
    log,
    read: () => readRecords(lease, log),
  })

/** The library as it is at one moment, also while this process commits. */
export async function readFromPostgres({ options }: WriterLease): Promise<LibrarySnapshot> {
  await using session = await options.open({ isPatient: true })
  return snapshotOf(await readSnapshot(session, options.id))
}

/** The hosts of the cluster. Gives up where PostgreSQL does not answer. */
export async function listHostsBy({ options }: WriterLease): Promise<ClusterHost[]> {
  const session = await options.open()
  return listHosts(session).finally(() => drop(session))
}

/** How far replicas and standbys are behind. Gives up where PostgreSQL does not answer. */
export async function readLagBy({ options }: WriterLease): Promise<ClusterLag> {
  const session = await options.open()
  return readLag(session).finally(() => drop(session))
}

/** What reads a data folder takes: PostgreSQL has no generations. */
export const snapshotOf = ({ data, head }: ClusterSnapshot): LibrarySnapshot => ({
  data,
  generation: 0,
  sequence: head.seq,
})

/** All records as they were when the lease was acquired: no other process has committed since. */
async function readRecords(lease: WriterLease, log: Pick<Log, 'info'>): Promise<LibraryData> {
  await using session = await lease.options.open({ isPatient: true })
  const { data, head } = await readSnapshot(session, lease.options.id)
  if (head.seq !== lease.seq) throw lease.lose(LATE)

  if (head.schema < SCHEMA) {
    if (!(await rewriteRows(session, data, head))) throw lease.lose(LATE)
    log.info({ from: head.schema, to: SCHEMA }, 'migrated the library to a new schema')
  }
  return data
}
