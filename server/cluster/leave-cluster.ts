import { connect, type PostgresClient } from '../data/postgres/connection'
import { readSnapshot, readRows } from '../data/postgres/rows'
import {
  endCluster,
  findTables,
  LEASE_LOCK,
  requireCluster,
  type Head,
} from '../data/postgres/tables'
import { lockDataDir } from '../data/folder/lock/lock'
import { clusterMarkIn, type ClusterMark } from '../data/library/library-place'
import { removeLibrary, replaceLibrary } from '../data/library/fresh-library'
import { readLibraryFiles } from '../data/library/read-library'
import { SCHEMA } from '../data/library/schema'
import { digestOf } from '../data/repair/verify'
import { FolderSplit } from './folder/folder-split'
import { markEmpty } from './folder/adopt-folder'
import { PRIMARY_SILENCE_S } from './cluster-status'
import { commitMove, explainClusterError } from './explain-error'
import type { ClusterPlaces } from './join-cluster'

/**
 * Moves the library, its bytes and all else of a cluster into the data folder of any host or an
 * empty one, and ends the cluster. All hosts must be stopped. Killed at any point, running it again
 * ends it. Returns the digest of the records; undefined: an interrupted run had moved them, or they
 * had never left the folder.
 */
export async function leaveCluster(dir: string, file: ClusterPlaces): Promise<string | undefined> {
  const split = new FolderSplit(file)
  const lock = await lockDataDir(dir)
  try {
    await using client = await connect(file.postgres, { isPatient: true })

    const mark = (await clusterMarkIn(dir).read()) ?? (await markEmpty(dir, client, 'leaving'))
    if (mark === undefined)
      throw new Error(
        `The library of ${dir} is in the folder, not in a cluster: there is nothing to move`,
      )

    const digest = (await isInPostgres(client, mark))
      ? await moveRecords(dir, client, mark, split)
      : undefined

    await split.bytes.forget()
    await clusterMarkIn(dir).remove()
    return digest
  } catch (cause) {
    throw explainClusterError(cause)
  } finally {
    await split.bytes.close()
    await lock.release()
  }
}

/**
 * False where an interrupted run has ended the cluster, or `slipway cluster init` has never made
 * it.
 */
async function isInPostgres(client: PostgresClient, { id, state }: ClusterMark): Promise<boolean> {
  const tables = await findTables(client)
  if (state === 'leaving' && tables?.ended.includes(id) === true) return false
  if (state === 'joining' && tables?.head?.id !== id) return false
  return true
}

/**
 * In one transaction, which holds off all primaries and ends once the library in the folder is
 * complete.
 */
async function moveRecords(
  dir: string,
  client: PostgresClient,
  { id }: ClusterMark,
  split: FolderSplit,
): Promise<string> {
  const before = await requireCluster(client, id, SCHEMA)
  split.requireProof(before)
  await requireNoPrimary(client, before)

  // Most of it is done here: the transaction holds off all hosts.
  await split.bytes.giveTo(dir, id, (await readSnapshot(client, id)).data)

  await client.query('begin')
  await client.query('select from slipway.cluster for update')
  const head = await requireCluster(client, id, SCHEMA)
  await requireNoPrimary(client, head)
  const data = await readRows(client, head.schema)
  const digest = digestOf(data)
  const mark = clusterMarkIn(dir)

  try {
    await mark.write({ id, state: 'leaving' })
    await split.get(client, dir, head, data)
    await replaceLibrary(dir, data, head.seq)
    if (digestOf((await readLibraryFiles(dir)).data) !== digest)
      throw new Error(`${dir} does not return the library as it was written: check its disk`)
    await endCluster(client, head)
  } catch (cause) {
    // Nothing is committed, so the cluster continues.
    await client.query('rollback').catch(() => undefined)
    await removeLibrary(dir)
    await mark.write({ id, state: 'member' })
    throw cause
  }

  await commitMove(client)
  return digest
}

/** A host that was killed or hangs is none: what it may still try cannot count. */
async function requireNoPrimary(client: PostgresClient, { epoch, primary, silent }: Head) {
  if (silent === null || silent > PRIMARY_SILENCE_S) return
  const { rows } = await client.query<{ isOver: boolean }>(
    'select pg_try_advisory_xact_lock($1, $2) as "isOver"',
    [LEASE_LOCK, epoch % 2 ** 31],
  )
  if (rows[0]?.isOver !== true)
    throw new Error(`${primary ?? 'A host'} is running. Stop all hosts of the cluster first`)
}
