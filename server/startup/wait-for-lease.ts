import { readClusterFile } from '../cluster/cluster-file'
import { OwnFolder } from '../cluster/folder/own-folder'
import { InternalApi } from '../cluster/internal-api'
import type { ClusterRole } from '../compose/deps'
import { acquireLease } from '../data/postgres/candidate'
import { HostReports } from '../data/postgres/hosts'
import type { WriterLease } from '../data/postgres/writer-lease'
import { SCHEMA } from '../data/library/schema'
import type { RunningServer } from '../running-server'
import { WaitingFront, type WaitingOptions } from './waiting-front'

/** The place of this process in its cluster, as the primary. */
export interface ClusterPlace {
  /** The name of this host. */
  host: string
  role: ClusterRole
  lease: WriterLease
  /** Reports the transfers of this server. */
  serves: (server: RunningServer) => void
}

/**
 * Waits until this host is the primary of its cluster. Meanwhile it answers reads, or, while it
 * cannot, everyone with 503. Throws with a readable message if the file, the folder or PostgreSQL
 * cannot be used.
 */
export async function waitForLease(
  waiting: WaitingOptions & { cluster: string },
): Promise<ClusterPlace> {
  const file = readClusterFile(waiting.cluster)
  const { log, config } = waiting
  const { postgres, host, address, secret } = file
  const own = await OwnFolder.open(file, config)
  const readCluster = () => own.requireThere()
  const onClosed = async () => {
    await reports.end()
    await own.release()
  }
  const front: WaitingFront = new WaitingFront(waiting, {
    file,
    id: await readCluster(),
    own,
    onClosed,
  })
  // Each further question to a PostgreSQL that is silent takes seconds: answer before.
  if (own.away !== undefined) front.show({ words: own.away, isProblem: true })
  const about = { id: host, address, version: config.version }
  const reports = new HostReports(postgres, () => ({ ...about, ...front.state() }))
  await reports.begin()
  const taking = acquireLease({
    postgres,
    host,
    address,
    schema: SCHEMA,
    log,
    readCluster,
    keyProof: own.content.proof,
    onWait: (reason) => front.show(reason),
  })
  const lease = await Promise.race([taking, front.failure])
  front.becomes(lease)
  await own.content.catchUp(lease)
  const isPrimary = () => lease.holdsLease()
  const role: ClusterRole = {
    lease,
    own,
    openDoor: (serving) => InternalApi.open({ address, secret, ...serving, isPrimary }),
    beforeListening: () => front.end(),
    onClosed,
  }
  return { host, role, lease, serves: (server) => front.serves(server) }
}
