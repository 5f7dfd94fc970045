import { existsSync } from 'node:fs'
import { freePort } from '../../../scripts/dev/free-port'
import { inPostgres } from '../../../server/cluster/folder/adopt-folder'
import { OwnFolder } from '../../../server/cluster/folder/own-folder'
import { joinCluster, type ClusterPlaces } from '../../../server/cluster/join-cluster'
import { Replica } from '../../../server/cluster/replica'
import type { HostRole } from '../../../server/cluster/host-role'
import { primaryRole, replicaRole } from '../../../server/cluster/roles'
import type { Deps } from '../../../server/compose/deps'
import { realDisk } from '../../../server/core/durable-file'
import { acquireLease } from '../../../server/data/postgres/candidate'
import { snapshotOf } from '../../../server/data/postgres/open-commit-log'
import { readSnapshot } from '../../../server/data/postgres/rows'
import { holdsLibrary } from '../../../server/data/library/journal/library-files'
import { Library } from '../../../server/data/library/library'
import type { LibrarySnapshot } from '../../../server/data/library/read-library'
import { SCHEMA } from '../../../server/data/library/schema'
import type { RunningServer, ServerConfig } from '../../../server/index'
import { startInside, type Inside } from '../world/inside'
import { asOne, hurryCounts } from './as-one'
import { listenForBalancer, portOf, startBalancer } from './haproxy'
import { placesFor } from './places'
import { sharedPostgres, type Postgres } from './postgres'

/**
 * Whether each server of a test is a cluster of three hosts: `npm run test:full -- three-hosts`.
 */
export const isThreeHosts = process.env['SLIPWAY_TEST_HOSTS'] === 'three'

/** Three hosts of one cluster in this process, behind HAProxy. */
export interface ThreeHosts {
  /** The primary. */
  running: RunningServer
  /** All of them. */
  inside: Inside
  /** HAProxy, which sends each request to any of them. */
  url: string
  /** Reads their library. */
  readLibrary: () => Promise<LibrarySnapshot>
  close: () => Promise<void>
}

/** The clusters of data folders. */
const clusters = new Map<string, ClusterPlaces>()

/**
 * Starts a primary on this folder, whose library moves into a cluster of its own if it is in none,
 * and two replicas. `port`: of HAProxy.
 */
export async function startThree(config: ServerConfig, deps: Deps): Promise<ThreeHosts> {
  const { dataDir } = config
  const places = await placesOf(dataDir)
  const { postgres: database, secret } = places
  const address = `127.0.0.1:${await freePort()}`
  const begin = async (role: HostRole, dir: string) => {
    const host = await startInside({ ...config, dataDir: dir, port: 0 }, deps, role)
    return { ...host, ownPort: host.running.bound().port }
  }
  const openFolder = async (host: string, dir: string) => {
    const own = await OwnFolder.open({ ...places, host, address }, { dataDir: dir })
    return { own, onClosed: () => own.release() }
  }

  const { own, onClosed } = await openFolder('host-a', dataDir)
  const id = await own.requireThere()
  const cluster = { postgres: database, id, schema: SCHEMA, log: deps.log }
  const lease = await acquireLease({
    ...cluster,
    host: 'host-a',
    address,
    keyProof: own.content.proof,
    readCluster: () => own.requireThere(),
    onWait: () => undefined,
  })
  const role = primaryRole(lease, { own, onClosed }, { address, secret })
  const primary = await begin(role, dataDir)
  const hurryReader = hurryCounts(primary.inside)

  const beginReader = async (host: string) => {
    const dir = `${dataDir}-${host}`
    const folder = await openFolder(host, dir)
    const { files } = folder.own.content
    const replica = await Replica.open({ ...cluster, host, secret, files })
    hurryReader(replica)
    return begin(replicaRole(replica, folder), dir)
  }
  const replicas = await Promise.all(['host-b', 'host-c'].map(beginReader))

  const all = [primary, ...replicas]
  const at = await listenForBalancer(config.port)
  // HAProxy and people name its port.
  for (const { inside } of all) inside.standAt(portOf(at))
  const balancer = await startBalancer(
    all.map(({ ownPort }) => ownPort),
    { at },
  )
  const close = async () => {
    await Promise.all(replicas.map(({ running }) => running.close()))
    await primary.running.close()
    await balancer.close()
  }
  const inside = asOne(
    primary.inside,
    replicas.map((replica) => replica.inside),
  )
  return {
    running: primary.running,
    inside,
    url: balancer.url,
    readLibrary: () =>
      inPostgres(database, async (client) => snapshotOf(await readSnapshot(client, id))),
    close,
  }
}

async function placesOf(dataDir: string): Promise<ClusterPlaces> {
  const known = clusters.get(dataDir)
  if (known !== undefined) return known
  const postgres = await sharedPostgres()
  await dropUnused(postgres)
  const places = await placesFor(await postgres.makeDatabase())
  if (!(await holdsLibrary(dataDir))) {
    const log = { info: () => undefined, error: () => undefined }
    await (await Library.open({ dir: dataDir, log, disk: realDisk })).close()
  }
  await joinCluster(dataDir, places)
  clusters.set(dataDir, places)
  return places
}

/** Databases whose test has ended. */
async function dropUnused({ query, url }: Postgres): Promise<void> {
  for (const [dir, { postgres: database }] of clusters) {
    if (existsSync(dir)) continue
    // Two tests at once drop none twice.
    clusters.delete(dir)
    await query(
      url('postgres'),
      `drop database ${new URL(database).pathname.slice(1)} with (force)`,
    )
  }
}
