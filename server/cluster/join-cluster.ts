import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  connect,
  postgresWarning,
  requireOwnSessions,
  requireSafe,
  type PostgresClient,
} from '../data/postgres/connection'
import { PostgresError } from '../data/postgres/postgres-error'
import { readRows, writeRows } from '../data/postgres/rows'
import { beginCluster, findTables, lockTables, makeTables } from '../data/postgres/tables'
import { lockDataDir } from '../data/folder/lock/lock'
import { clusterMarkIn } from '../data/library/library-place'
import { setAside } from '../data/library/journal/library-files'
import { readLibraryFiles } from '../data/library/read-library'
import { SCHEMA } from '../data/library/schema'
import { digestOf } from '../data/repair/verify'
import type { ClusterFile } from './cluster-file'
import { FolderSplit } from './folder/folder-split'
import { commitMove, explainClusterError } from './explain-error'

/** What `slipway cluster init` did. */
export interface Joined {
  /** Undefined: an earlier run, which was interrupted, had moved the records. */
  records: number | undefined
  digest: string | undefined
  /** The folder with the files of the old library. */
  oldFolder: string
  /** What an operator should know of PostgreSQL and the bucket. */
  warnings: string[]
}

/** What of a data folder is elsewhere in a cluster. */
const MOVED = /^(library\.\d.*|blobs|orphans|tmp|uploads)$/

/** What the moves between a folder and a cluster need of its file. */
export type ClusterPlaces = Pick<ClusterFile, 'postgres' | 'secret' | 'bucket'>

/**
 * Moves the library of a data folder into an empty database and its bytes into a bucket; the folder
 * becomes that of the first host. The host must be stopped. Killed at any point, the library is
 * where it was, or running it again ends it; a failure changes nothing.
 */
export async function joinCluster(dir: string, file: ClusterPlaces): Promise<Joined> {
  const { postgres } = file
  const split = new FolderSplit(file)
  const lock = await lockDataDir(dir)
  try {
    await using client = await connect(postgres, { isPatient: true })
    const ofPostgres = postgresWarning(await requireSafe(client))
    await requireOwnSessions(postgres, client)

    const id = await idFor(dir, client)
    await split.bytes.claim(id)
    const ofBucket = await split.bytes.warning()
    const moved = await moveRecords(dir, client, id, split)
    await split.bytes.keep(id)

    const oldFolder = join(dir, `before-cluster-${id}`)
    const names = (await readdir(dir)).filter((name) => MOVED.test(name))
    await setAside(dir, names, oldFolder)
    await clusterMarkIn(dir).write({ id, state: 'member' })
    const warnings = [ofPostgres, ofBucket].filter((it) => it !== undefined)
    return { ...moved, oldFolder, warnings }
  } catch (cause) {
    throw explainClusterError(cause)
  } finally {
    await split.bytes.close()
    await lock.release()
  }
}

/**
 * The id of the cluster to be: a new one, unless an interrupted run has made it in this database.
 */
async function idFor(dir: string, client: PostgresClient): Promise<string> {
  const mark = await clusterMarkIn(dir).read()
  const head = (await findTables(client))?.head

  if (mark?.state === 'leaving')
    throw new Error(`\`slipway cluster leave\` of ${dir} was interrupted. Run that again first`)
  if (mark?.state === 'member')
    throw new Error(
      `${dir} is in ${head?.id === mark.id ? 'this' : 'another'} cluster already: start ` +
        'Slipway with --cluster FILE',
    )
  if (head !== undefined && head.id !== mark?.id)
    throw new PostgresError(
      'PostgreSQL already has a cluster. Give each cluster a database of its own',
    )

  return head?.id ?? randomUUID()
}

/**
 * In one transaction, which ends with a comparison. Does nothing where an interrupted run has done
 * it.
 */
async function moveRecords(
  dir: string,
  client: PostgresClient,
  id: string,
  split: FolderSplit,
): Promise<Pick<Joined, 'records' | 'digest'>> {
  const before = (await findTables(client))?.head
  if (before) {
    split.requireProof(before)
    return { records: undefined, digest: undefined }
  }

  const { data, sequence } = await readLibraryFiles(dir)
  await split.bytes.takeFrom(dir)
  const mark = clusterMarkIn(dir)

  let isCommitting = false
  try {
    await mark.write({ id, state: 'joining' })
    await client.query('begin')
    await makeOwnTables(client)
    const { seq, records } = await writeRows(client, data, sequence)
    await beginCluster(client, { id, schema: SCHEMA, seq, keyProof: split.proofFor(id) })
    await split.put(client, dir, { id, seq })

    const digest = digestOf(data)
    if (digestOf(await readRows(client, SCHEMA)) !== digest)
      throw new PostgresError('PostgreSQL does not return the records as they were written')

    isCommitting = true
    await commitMove(client)
    return { records, digest }
  } catch (cause) {
    // While it is not known whether PostgreSQL has it, the mark stays: the next run finds out.
    if (!isCommitting) {
      await client.query('rollback').catch(() => undefined)
      await mark.remove()
    }
    throw cause
  }
}

/** Throws PostgresError if another cluster has just begun in them. */
async function makeOwnTables(client: PostgresClient): Promise<void> {
  await lockTables(client)
  if ((await findTables(client))?.head !== undefined)
    throw new PostgresError(
      'Another host has just made its cluster in this database. Give each cluster a database ' +
        'of its own',
    )
  await makeTables(client)
}
