import { readClusterFile } from '../cluster/cluster-file'
import { OwnFolder } from '../cluster/folder/own-folder'
import { PeerDoor } from '../cluster/peer-door'
import type { ClusterRole } from '../compose/deps'
import { takeOffice } from '../data/engine/candidate'
import { HostReports } from '../data/engine/hosts'
import type { Office } from '../data/engine/office'
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
 * Waits until this host is the writer of its cluster. Meanwhile it answers reads, or, while it
 * cannot, everyone with 503. Throws with a readable message if the file, the folder or the engine
 * cannot be used.
 */
export async function waitForTurn(
  waiting: WaitingOptions & { cluster: string },
): Promise<ClusterPlace> {
  const file = readClusterFile(waiting.cluster)
  const { log, config } = waiting
  const { engine, host, address, secret } = file
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
  const about = { id: host, address, version: config.version }
  const reports = new HostReports(engine, () => ({ ...about, ...front.state() }))
  await reports.begin()
  const taking = takeOffice({
    engine,
    host,
    address,
    schema: SCHEMA,
    log,
    readCluster,
    keyProof: own.content.proof,
    onWait: (reason) => front.show(reason),
  })
  const office = await Promise.race([taking, front.failure])
  front.becomes(office)
  await own.content.catchUp(office)
  const isWriter = () => office.isSure()
  const role: ClusterRole = {
    office,
    own,
    openDoor: (serving) => PeerDoor.open({ address, secret, ...serving, isWriter }),
    beforeListening: () => front.end(),
    onClosed,
  }
  return { host, role, office, serves: (server) => front.serves(server) }
}
