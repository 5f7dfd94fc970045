import { readClusterFile } from './cluster-file'
import { OwnFolder } from './folder/own-folder'
import { acquireLease } from '../data/postgres/candidate'
import { HostReports } from '../data/postgres/hosts'
import { SCHEMA } from '../data/library/schema'
import type { HostRole } from './host-role'
import { primaryRole } from './roles'
import { WaitingFront, type HostServer, type WaitingOptions } from './waiting-front'

/** The place of this process in its cluster, as the primary. */
export interface ClusterPlace {
  /** The name of this host. */
  host: string
  role: HostRole
  /** Resolves when another host took over. */
  lost: Promise<Error>
  /** Reports the transfers of this server. */
  serves: (server: HostServer) => void
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
  const { postgres, host, address } = file
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

  const role = primaryRole(lease, { own, onClosed }, file)
  return {
    host,
    role: { ...role, beforeListening: () => front.end() },
    lost: lease.lost,
    serves: (server) => front.serves(server),
  }
}
