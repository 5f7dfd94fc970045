import { isKnown, type Op } from '../../library/library-data'
import type { PostgresClient } from '../connection'
import { PATIENCE_MS } from '../fresh-checks'
import { damagedError, fetchRows, toOp, type Row } from '../rows'
import { PLACES, SILENT } from '../tables'

/** What a replica knows: the last commit, and whose it is. */
export interface Position {
  seq: number
  epoch: number
  token: string | null
}

/** The head of a cluster, for a replica. */
export interface ChangesHead extends Position {
  id: string
  schema: number
  address: string | null
  /** A replica that knows less cannot continue. */
  goneBefore: number
  /** The last commit that changed a file of all hosts. */
  filesSeq: number
  silent: number | null
  /** Whether PostgreSQL still has what the replica knows, and no other history. */
  continues: boolean
}

/** Rows that one statement reads: more are read in batches, which may take longer. */
const MOST_ROWS = 1000

/**
 * A PostgreSQL that has lost its tail began another term before what we know, or gave our epoch to
 * another process.
 */
const HEAD = `c.id, c.schema, c.seq, c.epoch, c.holder as token, c.address,
  c.gone_before as "goneBefore", c.files_seq as "filesSeq",
  ${SILENT} as silent, (
    select coalesce(bool_and(case when t.epoch = $2 then t.holder = $3 else t.since >= $1 end),
      true)
    from slipway.term as t where t.epoch >= $2
  ) as continues`

/** In the order in which they were born, those born later than what is known being new. */
const rowsAfter = (seq: string) =>
  `select kind, id, value, born, born >= (${seq} + 1) * ${PLACES} as "isNew" from slipway.record
    where seq > ${seq}`

const NEWS = `
select ${HEAD}, r.kind, r.id as record, r.value, r."isNew"
from slipway.cluster as c
left join lateral (${rowsAfter('$1::bigint')} order by seq limit ${MOST_ROWS + 1}) as r on true
order by r.born`

type Numbers = 'seq' | 'epoch' | 'goneBefore' | 'filesSeq'
type HeadRow = Omit<ChangesHead, Numbers> & Record<Numbers, string>
type ChangeRow = HeadRow & {
  kind: string | null
  record: string
  value: string | null
  isNew: boolean
}

/**
 * The head, and the steps to it from what is known, of one moment. Undefined: the cluster has
 * ended.
 */
export async function readChanges(
  session: PostgresClient,
  position: Position,
): Promise<[ChangesHead, Op[]] | undefined> {
  const { seq, epoch, token } = position
  const question = {
    name: 'news',
    text: NEWS,
    values: [seq, epoch, token],
    query_timeout: PATIENCE_MS,
  }
  const { rows } = await session.query<ChangeRow>(question)

  const first = rows[0]
  if (first === undefined) return undefined
  if (rows.length > MOST_ROWS) return readMany(session, position)

  const ops: Op[] = []
  for (const { kind, record, value, isNew } of rows)
    if (kind !== null) addSteps(ops, { kind, id: record, value, isNew })
  return [headOf(first), ops]
}

/** The same in a snapshot of any size. */
async function readMany(
  session: PostgresClient,
  { seq, epoch, token }: Position,
): Promise<[ChangesHead, Op[]] | undefined> {
  await session.query('begin isolation level repeatable read read only')
  const { rows } = await session.query<HeadRow>(`select ${HEAD} from slipway.cluster as c`, [
    seq,
    epoch,
    token,
  ])

  const ops: Op[] = []
  await fetchRows(session, `${rowsAfter(`${seq}::bigint`)} order by born`, (row) =>
    addSteps(ops, row),
  )

  await session.query('commit')
  return rows[0] && [headOf(rows[0]), ops]
}

/** One that was deleted and put again stands behind the others. */
function addSteps(ops: Op[], { isNew, ...row }: Row): void {
  const op = toOp(row)
  if (!isKnown(op)) throw damagedError(row)
  if (isNew === true && row.value !== null) ops.push(toOp({ ...row, value: null }))
  ops.push(op)
}

function headOf({ id, schema, token, address, silent, continues, ...row }: HeadRow): ChangesHead {
  const numbers = { seq: Number(row.seq), epoch: Number(row.epoch) }
  const marks = { goneBefore: Number(row.goneBefore), filesSeq: Number(row.filesSeq) }
  return { id, schema, token, address, silent, continues, ...numbers, ...marks }
}
