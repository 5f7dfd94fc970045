import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { freePort } from '../../../scripts/dev/free-port'
import { joinCluster } from '../../../server/cluster/join-cluster'
import { PeerDoor } from '../../../server/cluster/peer-door'
import { clusterReader } from '../../../server/cluster/read-cluster'
import { Reader } from '../../../server/cluster/reader'
import type { ClusterRole, Deps } from '../../../server/compose/deps'
import { takeOffice } from '../../../server/data/engine/candidate'
import { connect } from '../../../server/data/engine/connection'
import { beginCluster, makeTables } from '../../../server/data/engine/tables'
import { clusterMarkIn, requireMember } from '../../../server/data/library/cluster-mark'
import { holdsLibrary } from '../../../server/data/library/journal/library-files'
import { SCHEMA } from '../../../server/data/library/schema'
import type { RunningServer, ServerConfig } from '../../../server/index'
import { startInside, type Inside } from '../world/inside'
import { asOne, hurryCounts } from './as-one'
import { listenForBalancer, portOf, startBalancer } from './haproxy'
import { sharedPostgres, type Postgres } from './postgres'

/**
 * Whether each server of a test is a cluster of three hosts: `npm run test:full -- three-hosts`.
 */
export const isThreeHosts = process.env['SLIPWAY_TEST_HOSTS'] === 'three'

/** Three hosts of one cluster in this process, behind HAProxy. */
export interface ThreeHosts {
  /** The writer. */
  running: RunningServer
  /** All of them. */
  inside: Inside
  /** HAProxy, which sends each request to any of them. */
  url: string
  /** Reads their library. */
  readLibrary: ReturnType<typeof clusterReader>
  close: () => Promise<void>
}

/** The engines of data folders. */
const engines = new Map<string, string>()

/**
 * Starts a writer and two readers on this folder, which moves into an engine of its own if it is in
 * none. `port`: of HAProxy.
 */
export async function startThree(config: ServerConfig, deps: Deps): Promise<ThreeHosts> {
  const { dataDir } = config
  const engine = await engineOf(dataDir)
  const peerPort = await freePort()
  const cluster = { engine, id: await requireMember(dataDir), schema: SCHEMA, log: deps.log }
  const peers = { address: `127.0.0.1:${peerPort}`, secret: randomBytes(24).toString('hex') }
  const readCluster = () => requireMember(dataDir)
  const office = await takeOffice({
    ...cluster,
    host: 'host-a',
    address: peers.address,
    readCluster,
    onWait,
  })
  const openDoor: ClusterRole['openDoor'] = (serving) =>
    PeerDoor.open({ ...peers, ...serving, isWriter: () => office.isSure() })
  const begin = async (role: ClusterRole) => {
    const host = await startInside({ ...config, port: 0 }, deps, role)
    return { ...host, ownPort: host.running.bound().port }
  }
  const writer = await begin({ office, openDoor })
  const hurryReader = hurryCounts(writer.inside)
  const beginReader = async (host: string) => {
    const reader = await Reader.open({ ...cluster, host, secret: peers.secret })
    hurryReader(reader)
    return begin({ reader })
  }
  const readers = await Promise.all(['host-b', 'host-c'].map(beginReader))
  const all = [writer, ...readers]
  const at = await listenForBalancer(config.port)
  // HAProxy and people name its port.
  for (const { inside } of all) inside.standAt(portOf(at))
  const balancer = await startBalancer(
    all.map(({ ownPort }) => ownPort),
    { at },
  )
  const close = async () => {
    await Promise.all(readers.map(({ running }) => running.close()))
    await writer.running.close()
    await balancer.close()
  }
  const inside = asOne(
    writer.inside,
    readers.map((reader) => reader.inside),
  )
  return {
    running: writer.running,
    inside,
    url: balancer.url,
    readLibrary: clusterReader(engine),
    close,
  }
}

const onWait = () => undefined

/** A database with a new cluster is copied, because making one takes longer. */
let template: Promise<string> | undefined
const NEW = 'a new cluster'

async function engineOf(dataDir: string): Promise<string> {
  const known = engines.get(dataDir)
  if (known !== undefined) return known
  const postgres = await sharedPostgres()
  await dropUnused(postgres)
  const isNew = !(await holdsLibrary(dataDir))
  const engine = isNew
    ? await copyOf(await (template ??= makeTemplate()))
    : await postgres.makeDatabase()
  if (isNew) await clusterMarkIn(dataDir).write({ id: NEW, state: 'member' })
  else await joinCluster(dataDir, engine)
  engines.set(dataDir, engine)
  return engine
}

async function makeTemplate(): Promise<string> {
  const postgres = await sharedPostgres()
  const url = await postgres.makeDatabase()
  const client = await connect(url)
  await makeTables(client)
  await beginCluster(client, { id: NEW, schema: SCHEMA, seq: 0 })
  await client.end()
  return url
}

async function copyOf(url: string): Promise<string> {
  const postgres = await sharedPostgres()
  const name = `test_${randomBytes(6).toString('hex')}`
  const from = new URL(url).pathname.slice(1)
  await postgres.query(postgres.url('postgres'), `create database ${name} template ${from}`)
  return postgres.url(name)
}

/** Databases whose test has ended. */
async function dropUnused({ query, url }: Postgres): Promise<void> {
  for (const [dir, engine] of engines) {
    if (existsSync(dir)) continue
    // Two tests at once drop none twice.
    engines.delete(dir)
    await query(url('postgres'), `drop database ${new URL(engine).pathname.slice(1)} with (force)`)
  }
}
