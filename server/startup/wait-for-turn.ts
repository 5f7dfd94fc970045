import { readClusterFile } from '../cluster/cluster-file'
import type { ServerConfig } from '../compose/server-config'
import type { Log } from '../core/logging/log'
import { takeOffice, type WaitReason } from '../data/engine/candidate'
import type { Office } from '../data/engine/office'
import { requireMember } from '../data/library/cluster-mark'
import { SCHEMA } from '../data/library/schema'
import { Settings } from '../data/settings/settings'
import { standBy, type Standby } from './standby'

/** The rest is in its log. */
const PROBLEM = 'its database or its data folder cannot be used now'

interface Waiting extends Pick<ServerConfig, 'dataDir' | 'host' | 'port'> {
  /** The file of `--cluster`. */
  cluster: string
}

/** The office of a cluster, and the name of this host in it. */
export interface ClusterPlace {
  office: Office
  host: string
}

/**
 * Waits until this host is the writer of its cluster. Meanwhile it listens, answers everyone with 503, and changes
 * nothing in the data folder. Throws with a readable message if the file, the folder or the engine cannot be used.
 */
export async function waitForTurn({ cluster, dataDir, ...address }: Waiting, log: Log): Promise<ClusterPlace> {
  const { engine, host } = readClusterFile(cluster)
  const { promise: failure, reject } = Promise.withResolvers<never>()
  let reason: WaitReason = { words: '', isProblem: false }
  let standing: Promise<Standby> | undefined
  const onWait = (next: WaitReason) => {
    const isNews = next.words !== reason.words
    reason = next
    standing ??= listen(address, dataDir, () => `This host stands by: ${reason.isProblem ? PROBLEM : reason.words}`)
    if (isNews) standing.then(({ url }) => console.log(`${host} stands by at ${url}: ${next.words}`), reject)
  }
  const readCluster = () => requireMember(dataDir)
  const office = await Promise.race([takeOffice({ engine, host, schema: SCHEMA, log, readCluster, onWait }), failure])
  await (await standing)?.close()
  return { office, host }
}

async function listen({ host, port }: Pick<Waiting, 'host' | 'port'>, dataDir: string, words: () => string) {
  const settings = (await Settings.open(dataDir)).get()
  return standBy({ host: host ?? settings.host, port: port ?? settings.port }, words)
}
