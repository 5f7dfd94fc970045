import { emptyLibrary, replay, type LibraryData, type Op } from '../library/library-data'
import { opsOf } from '../library/journal/snapshot'
import { migrate } from '../library/journal/migrations'
import { MIGRATIONS, SCHEMA } from '../library/schema'
import type { PostgresClient } from './connection'
import { PostgresError, postgresError } from './postgres-error'
import { PLACES, requireCluster, type Head } from './tables'

/** Rows in one statement: enough to spare round trips, few enough for memory. */
const BATCH = 5000
/** The kind of counters, whose value is a number. */
export const COUNTER = 'counter'

/**
 * All records of a cluster at one moment, of the current schema, and the head that they belong to.
 */
export interface ClusterSnapshot {
  data: LibraryData
  head: Head
}

/**
 * Reads all records of the cluster `id` in one snapshot, also while its primary commits. Throws
 * PostgresError.
 */
export async function readSnapshot(client: PostgresClient, id: string): Promise<ClusterSnapshot> {
  try {
    await client.query('begin isolation level repeatable read read only')
    const head = await requireCluster(client, id, SCHEMA)
    const data = await readRows(client, head.schema)
    await client.query('commit')
    return { data, head }
  } catch (cause) {
    throw postgresError(cause)
  }
}

/**
 * Reads all records, of `schema`, in the order of their birth, within a transaction. Migrates them
 * in memory.
 */
export async function readRows(client: PostgresClient, schema: number): Promise<LibraryData> {
  const data = emptyLibrary()
  const all = 'select kind, id, value from slipway.record where value is not null order by born'
  await fetchRows(client, all, (row) => {
    if (!replay(data, toOp(row))) throw damagedError(row)
  })
  migrate(data, schema, SCHEMA, MIGRATIONS)
  return data
}

/** A record as PostgreSQL has it. `value`: JSON; null: it is deleted. */
export interface Row {
  kind: string
  id: string
  value: string | null
  /** Whether it was born after what a replica knows, where that was asked. */
  isNew?: boolean
}

/** Reads any number of rows, within a transaction. */
export async function fetchRows(
  client: PostgresClient,
  select: string,
  receive: (row: Row) => void,
): Promise<void> {
  await client.query(`declare many_rows no scroll cursor for ${select}`)

  for (let count = BATCH; count === BATCH;) {
    const { rows } = await client.query<Row>(`fetch ${BATCH} from many_rows`)
    for (const row of rows) receive(row)
    count = rows.length
  }
  await client.query('close many_rows')
}

export const damagedError = ({ kind, id }: Row): PostgresError =>
  new PostgresError(
    `The record ${kind} ${id} in PostgreSQL is damaged. Restore the database from its backup`,
  )

/** The step that makes a row what it is; of a text that is no JSON, one that `isKnown` refuses. */
export function toOp({ kind, id, value }: Row): Op {
  let parsed: unknown
  try {
    parsed = value === null ? null : JSON.parse(value)
  } catch {
    parsed = null
  }
  if (kind === COUNTER) return ['counter', id, parsed as number | null]
  return value === null ? (['delete', kind, id] as Op) : (['put', kind, id, parsed] as Op)
}

/**
 * Writes migrated records, and that they have the current schema, in one transaction. False:
 * another process has committed since `head`, and nothing was changed.
 */
export async function rewriteRows(
  client: PostgresClient,
  data: LibraryData,
  head: Head,
): Promise<boolean> {
  const { epoch, seq, schema } = head
  try {
    await client.query('begin')
    const { rowCount } = await client.query(
      'update slipway.cluster set schema = $1, gone_before = seq where epoch = $2 and seq = $3 and schema = $4',
      [SCHEMA, epoch, seq, schema],
    )

    if (rowCount === 1) {
      await client.query('delete from slipway.record')
      await insertRows(client, data, { seq, after: seq - commitsOf(sizeOf(data)) })
    }

    await client.query('commit')
    return rowCount === 1
  } catch (cause) {
    throw postgresError(cause)
  }
}

/**
 * Inserts all records of a library behind the commit `after`, within a transaction. Returns the
 * commit that has them.
 */
export async function writeRows(
  client: PostgresClient,
  data: LibraryData,
  after: number,
): Promise<{ seq: number; records: number }> {
  const records = sizeOf(data)
  const seq = after + commitsOf(records)
  await insertRows(client, data, { seq, after })
  return { seq, records }
}

/** Returns how many commits so many records need, so that later ones get higher places. */
const commitsOf = (records: number) => Math.ceil(records / PLACES) + 1

const sizeOf = ({ collections, counters }: LibraryData) =>
  [...Object.values(collections), counters].reduce((sum, { size }) => sum + size, 0)

async function insertRows(
  client: PostgresClient,
  data: LibraryData,
  { seq, after }: { seq: number; after: number },
): Promise<void> {
  let place = 0
  let columns: [string[], string[], string[]] = [[], [], []]
  const insert = async () => {
    await client.query(
      `insert into slipway.record (kind, id, value, seq, born)
       select o.kind, o.id, o.value, $4, $5::bigint * ${PLACES} + $6 + o.place
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as o (kind, id, value, place)`,
      [...columns, seq, after, place],
    )
    place += columns[0].length
    columns = [[], [], []]
  }
  for (const op of opsOf(data)) {
    const [kind, id, value] = op[0] === 'put' ? [op[1], op[2], op[3]] : [COUNTER, op[1], op[2]]
    columns[0].push(kind)
    columns[1].push(id)
    columns[2].push(JSON.stringify(value))
    if (columns[0].length === BATCH) await insert()
  }
  if (columns[0].length > 0) await insert()
}
