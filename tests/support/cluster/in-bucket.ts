import { sharedEngine, type Engine } from '../bucket/engine'
import type { ClusterFile } from '../../../server/cluster/cluster-file'
import { ClusterHosts } from './hosts'
import { sharedPostgres } from './postgres'

/** Two hosts of a cluster. */
export interface BucketCluster {
  hosts: ClusterHosts
  names: readonly string[]
  folders: readonly string[]
  /** The address of PostgreSQL. */
  database: string
  store: Engine
  bucket: ClusterFile['bucket']
  /** A folder of the test. */
  base: string
  /** Writes a file for --cluster of another host, and returns its path. */
  writeFile: (more?: object) => Promise<string>
  end: () => Promise<void>
}

export async function startInBucket(): Promise<BucketCluster> {
  const [postgres, store] = await Promise.all([sharedPostgres(), sharedEngine()])
  const database = await postgres.makeDatabase()
  const names = ['host-a', 'host-b']
  const hosts = await ClusterHosts.start(database, names)
  await hosts.untilAllServe()
  const { base, places } = hosts
  return {
    ...{ hosts, names, folders: names.map((name) => hosts.folder(name)), database, store, base },
    bucket: places.bucket,
    writeFile: (more) => hosts.writeFile('host-c', more),
    end: () => hosts.end(),
  }
}
