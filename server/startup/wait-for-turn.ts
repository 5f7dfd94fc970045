import { findPeers, readClusterFile } from '../cluster/cluster-file'
import { PeerDoor } from '../cluster/peer-door'
import type { ClusterRole } from '../compose/deps'
import { takeOffice } from '../data/engine/candidate'
import { HostReports } from '../data/engine/hosts'
import type { Office } from '../data/engine/office'
import { requireMember } from '../data/library/cluster-mark'
import { SCHEMA } from '../data/library/schema'
import type { RunningServer } from '../running-server'
import { WaitingFront, type WaitingOptions } from './waiting-front'

/** The place of this process in its cluster, as the writer. */
export interface ClusterPlace {
  /** The name of this host. */
  host: string
  role: ClusterRole
  office: Office
  /** Reports the transfers of this server. */
  serves: (server: RunningServer) => void
}

/**
 * Waits until this host is the writer of its cluster. Meanwhile it answers reads, if its file has a secret; else, and while
 * it cannot, it answers everyone with 503. It changes nothing in the data folder. Throws with a readable message if the
 * file, the folder or the engine cannot be used.
 */
export async function waitForTurn(waiting: WaitingOptions & { cluster: string }): Promise<ClusterPlace> {
  const file = readClusterFile(waiting.cluster)
  const { log, config } = waiting
  const { engine, host } = file
  const peers = findPeers(file)
  const readCluster = () => requireMember(config.dataDir)
  const front: WaitingFront = new WaitingFront(waiting, file, await readCluster(), () => reports.end())
  const about = { id: host, address: peers?.address ?? null, version: config.version }
  const reports = new HostReports(engine, () => ({ ...about, ...front.state() }))
  await reports.begin()
  const taking = takeOffice({
    engine,
    host,
    address: peers?.address,
    schema: SCHEMA,
    log,
    readCluster,
    onWait: (reason) => front.show(reason),
  })
  const office = await Promise.race([taking, front.failure])
  front.becomes(office)
  const role: ClusterRole = {
    office,
    beforeListening: () => front.end(),
    onClosed: () => reports.end(),
  }
  const isWriter = () => office.isSure()
  if (peers) role.openDoor = (answer, onMarks) => PeerDoor.open({ ...peers, answer, onMarks, isWriter })
  return { host, role, office, serves: (server) => front.serves(server) }
}
