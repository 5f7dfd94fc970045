import { randomBytes } from 'node:crypto'
import type { ClusterPlaces } from '../../../server/cluster/join-cluster'
import { noEngine, sharedEngine } from '../bucket/engine'
import { noPostgres } from './postgres'

/** Why this machine cannot have a cluster for tests; undefined where it can. */
export const noCluster = noPostgres ?? noEngine

/** The name of a test or a group, with the reason where it is passed over. */
export const withCluster = (name: string): string =>
  noCluster === undefined ? name : `${name} (not run: ${noCluster})`

/** What the file of a cluster names: this PostgreSQL, a new bucket and a secret. */
export async function placesFor(database: string): Promise<ClusterPlaces> {
  const store = await sharedEngine()
  const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = store.keys
  const bucket = { ...(await store.makeBucket()), access_key_id, secret_access_key }
  return { postgres: database, secret: randomBytes(24).toString('hex'), bucket }
}
