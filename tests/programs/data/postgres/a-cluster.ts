import { onTestFinished } from 'vitest'
import { SharedContent } from '../../../../server/data/postgres/files/shared-content'
import { FileCipher } from '../../../../server/data/postgres/files/file-cipher'
import { acquireLease } from '../../../../server/data/postgres/candidate'
import { connect, type PostgresClient } from '../../../../server/data/postgres/connection'
import { Follower } from '../../../../server/data/postgres/follow/follower'
import { openReplicaLibrary } from '../../../../server/data/postgres/follow/replica-commit-log'
import type { WriterLease } from '../../../../server/data/postgres/writer-lease'
import { openPostgresLog } from '../../../../server/data/postgres/open-commit-log'
import { beginCluster, makeTables } from '../../../../server/data/postgres/tables'
import { Library } from '../../../../server/data/library/library'
import { SCHEMA } from '../../../../server/data/library/schema'
import type { Postgres } from '../../../support/cluster/postgres'
import { tempDir } from '../../../support/system/temp-dir'

export const ID = 'the cluster'
export const SECRET = 'a secret of more than thirty-two characters'
const keyProof = new FileCipher(SECRET, ID).proof
export const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** The address of a database with an empty cluster. */
export async function clusterIn(postgres: Postgres): Promise<string> {
  const url = await postgres.makeDatabase()
  const client = await connect(url)
  await makeTables(client)
  await beginCluster(client, { id: ID, schema: SCHEMA, seq: 0, keyProof })
  await client.end()
  return url
}

/** A session at a database that ends with the test. */
export async function aSession(url: string): Promise<PostgresClient> {
  const session = await connect(url)
  onTestFinished(() => session.end())
  return session
}

/** Resolves once this host is the primary. */
export async function aLease(database: string, host = 'host-a'): Promise<WriterLease> {
  const readCluster = () => Promise.resolve(ID)
  const address = `http://${host}:1`
  const lease = await acquireLease({
    postgres: database,
    host,
    address,
    schema: SCHEMA,
    log,
    readCluster,
    keyProof,
    onWait: () => undefined,
  })
  onTestFinished(() => lease.resign())
  return lease
}

export const libraryOf = (lease: WriterLease): Promise<Library> =>
  Library.on(openPostgresLog(lease, log), log)

/** A host that follows, on a data folder of its own. */
export async function openFollower(database: string): Promise<Follower> {
  const { files } = new SharedContent(await tempDir(), ID, SECRET)
  return Follower.open({ postgres: database, id: ID, schema: SCHEMA, log, files })
}

/** A host that follows, and its library. */
export async function aReader(database: string): Promise<{ follower: Follower; library: Library }> {
  const follower = await openFollower(database)
  onTestFinished(() => follower.close())
  return { follower, library: await openReplicaLibrary(follower, log) }
}
