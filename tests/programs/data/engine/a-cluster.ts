import { onTestFinished } from 'vitest'
import { SharedContent } from '../../../../server/data/engine/files/shared-content'
import { FileCipher } from '../../../../server/data/engine/files/file-cipher'
import { takeOffice } from '../../../../server/data/engine/candidate'
import { connect } from '../../../../server/data/engine/connection'
import { Follower } from '../../../../server/data/engine/follow/follower'
import { openReaderLibrary } from '../../../../server/data/engine/follow/reader-ledger'
import type { Office } from '../../../../server/data/engine/office'
import { openEngineLedger } from '../../../../server/data/engine/open-engine-ledger'
import { beginCluster, makeTables } from '../../../../server/data/engine/tables'
import { Library } from '../../../../server/data/library/library'
import { SCHEMA } from '../../../../server/data/library/schema'
import type { Postgres } from '../../../support/cluster/postgres'
import { tempDir } from '../../../support/system/temp-dir'

export const ID = 'the cluster'
export const SECRET = 'a secret of more than thirty-two characters'
const keyProof = new FileCipher(SECRET, ID).proof
export const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** The address of an engine with an empty cluster. */
export async function clusterIn(postgres: Postgres): Promise<string> {
  const url = await postgres.makeDatabase()
  const client = await connect(url)
  await makeTables(client)
  await beginCluster(client, { id: ID, schema: SCHEMA, seq: 0, keyProof })
  await client.end()
  return url
}

/** Resolves once this host is the writer. */
export async function anOffice(engine: string, host = 'host-a'): Promise<Office> {
  const readCluster = () => Promise.resolve(ID)
  const address = `http://${host}:1`
  const office = await takeOffice({
    engine,
    host,
    address,
    schema: SCHEMA,
    log,
    readCluster,
    keyProof,
    onWait: () => undefined,
  })
  onTestFinished(() => office.resign())
  return office
}

export const libraryOf = (office: Office): Promise<Library> =>
  Library.on(openEngineLedger(office, log), log)

/** A host that follows, on a data folder of its own. */
export async function openFollower(engine: string): Promise<Follower> {
  const { files } = new SharedContent(await tempDir(), ID, SECRET)
  return Follower.open({ engine, id: ID, schema: SCHEMA, log, files })
}

/** A host that follows, and its library. */
export async function aReader(engine: string): Promise<{ follower: Follower; library: Library }> {
  const follower = await openFollower(engine)
  onTestFinished(() => follower.close())
  return { follower, library: await openReaderLibrary(follower, log) }
}
