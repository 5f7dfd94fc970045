import { randomBytes } from 'node:crypto'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClusterFile } from '../../../server/cluster/cluster-file'
import { BytesBucket } from '../../../server/cluster/folder/bytes-bucket'
import { FolderParting } from '../../../server/cluster/folder/folder-parting'
import { joinCluster } from '../../../server/cluster/join-cluster'
import { sharedEngine, type Engine } from '../bucket/engine'
import { ClusterHosts } from './hosts'
import { sharedPostgres } from './postgres'

/** Two hosts with data folders of their own, whose builds are in a bucket. */
export interface BucketCluster {
  hosts: ClusterHosts
  names: readonly string[]
  folders: readonly string[]
  /** The address of PostgreSQL. */
  engine: string
  store: Engine
  bucket: NonNullable<ClusterFile['bucket']>
  /** A folder of the test. */
  base: string
  /** Writes a file for --cluster of another host, and returns its path. */
  writeFile: (more?: Partial<ClusterFile>) => Promise<string>
  end: () => Promise<void>
}

export async function startInBucket(): Promise<BucketCluster> {
  const [postgres, store] = await Promise.all([sharedPostgres(), sharedEngine()])
  const engine = await postgres.makeDatabase()
  const base = await mkdtemp(join(tmpdir(), 'slipway-bucket-'))
  const names = ['host-a', 'host-b']
  const folders = names.map((name) => join(base, name))
  const secret = randomBytes(24).toString('hex')
  const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = store.keys
  const bucket = { ...(await store.makeBucket()), access_key_id, secret_access_key }
  const parting = new FolderParting(secret, new BytesBucket(bucket))
  const hosts = await ClusterHosts.start(
    engine,
    names,
    folders.map((data) => ({ data, secret, bucket })),
    async (dir) => {
      await joinCluster(dir, engine, parting)
      await rename(dir, folders[0] ?? '')
    },
  )
  await parting.bytes.close()
  await hosts.untilAllServe()
  const file = join(base, 'cluster.json')
  return {
    ...{ hosts, names, folders, engine, store, bucket, base },
    async writeFile(more = {}) {
      const content = { engine, host: 'host-c', secret, address: '127.0.0.1:1', bucket, ...more }
      await writeFile(file, JSON.stringify(content), { mode: 0o600 })
      return file
    },
    async end() {
      await hosts.end()
      await rm(base, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
