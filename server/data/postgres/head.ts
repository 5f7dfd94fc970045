import type { DayLine } from '../day-log/day-log'
import { endsWithin } from '../../core/deadline'
import { STATEMENT_MS, type PostgresClient } from './connection'
import { LEASE_LOCK, PLACES } from './tables'

/*
 * The statements on the head of a cluster, its one row in `slipway.cluster`:
 *
 * - `commit` adds one to `seq`, writes the records of a batch, and counts only for the epoch, the seq
 *   and the holder that the primary knows. It locks the row, so commits and claims have one order.
 * - `claim` adds one to `epoch` and sets the holder. It waits for the lock of a commit that is under
 *   way, reads the seq that this commit has left, and records it in `slipway.term`. A later commit
 *   of the earlier epoch finds another epoch in the row and changes nothing.
 * - `beat` and `stepDown` set the time of the last sign of life, by PostgreSQL's clock.
 * - `readLastCommit` and `nextTerm` find out what became of a commit without an answer.
 *
 * Each is one statement, so it happens as a whole or not at all, and a lost answer leaves two cases.
 */

/** The channel on which a primary says that it has stepped down. */
export const LEASE_CHANNEL = 'slipway_lease'

/** What a batch of changes puts and deletes. No record is in it twice. */
export interface Rows {
  /**
   * `value`: JSON. In the order in which the records were added. `isNew`: the batch deletes it
   * first, if it is there.
   */
  put: readonly { kind: string; id: string; value: string; isNew: boolean }[]
  deleted: readonly { kind: string; id: string }[]
  /** What becomes of a file that all hosts share. */
  file?: FileChange
  /** Lines of the audit log, without newlines. */
  audit?: readonly DayLine[]
}

/** A shared file after a change. `content`: encrypted; null: it is deleted. */
export interface FileChange {
  name: string
  version: number
  content: Buffer | null
}

/** The lease of a primary: no other process has had its token or will. */
export interface Term {
  epoch: number
  /** The last commit before this term, or the last one of it. */
  seq: number
  token: string
}

/**
 * One statement, so one transaction and one round trip: it is kept in whole or not at all. It
 * counts only under its term, whose row it locks. What is deleted stays without a value, so that
 * replicas see it; put again, it is a new one.
 */
const COMMIT = commitWith('', '')

/** The same with what the hosts have in data folders of their own. */
const COMMIT_FILES = commitWith(
  `, files_seq = case when $11::text is null then files_seq else seq + 1 end`,
  `, kept as (
  insert into slipway.file (name, version, content, seq)
  select $11, $12::bigint, $13::bytea, head.seq from head where $11 is not null
  on conflict (name) do update set version = excluded.version, content = excluded.content, seq = excluded.seq
), logged as (
  insert into slipway.audit (day, line)
  select o.day, o.line from head, unnest($14::date[], $15::text[]) with ordinality as o (day, line, place) order by o.place
)`,
)

function commitWith(changes: string, more: string): string {
  return `
with head as (
  update slipway.cluster set seq = seq + 1, beat_at = clock_timestamp(), schema = $8${changes}
  where epoch = $1 and seq = $2 and holder = $9 returning seq
), put as (
  insert into slipway.record as r (kind, id, value, seq, born)
  select o.kind, o.id, o.value, head.seq, head.seq * ${PLACES} + o.place
  from head, unnest($3::text[], $4::text[], $5::text[]) with ordinality as o (kind, id, value, place)
  on conflict (kind, id) do update set value = excluded.value, seq = excluded.seq,
    born = case when r.value is null or ($10::bool[])[(excluded.born % ${PLACES})::int] then excluded.born else r.born end
), gone as (
  update slipway.record as r set value = null, seq = head.seq
  from head, unnest($6::text[], $7::text[]) as o (kind, id)
  where r.kind = o.kind and r.id = o.id and r.value is not null
)${more}
select seq from head`
}

/** A commit of more rows may take longer than statements otherwise may, in ms. */
const MANY_ROWS = 20_000
const LONG_MS = 600_000

/** Whether the commit was kept; false: another process has the lease, so it never will be. */
export async function commit(
  client: PostgresClient,
  term: Term,
  rows: Rows,
  schema: number,
): Promise<boolean> {
  const { file, audit = [] } = rows
  const values = listValues(term, rows, schema)
  if (file === undefined && audit.length === 0)
    return runCommit(client, rows, { name: 'commit', text: COMMIT, values })

  values.push(file?.name ?? null, file?.version ?? null, file?.content ?? null)
  values.push(...[audit.map(({ day }) => day), audit.map(({ line }) => line)])
  return runCommit(client, rows, { name: 'commit-files', text: COMMIT_FILES, values })
}

async function runCommit(
  client: PostgresClient,
  rows: Rows,
  question: { name: string; text: string; values: unknown[] },
): Promise<boolean> {
  if (rows.put.length + rows.deleted.length <= MANY_ROWS)
    return (await client.query(question)).rowCount === 1

  const patient = { ...question, query_timeout: 2 * LONG_MS }
  await client.query(`set statement_timeout = ${LONG_MS}`)
  const { rowCount } = await client.query(patient)
  // A failure here is none of the commit.
  await client.query(`set statement_timeout = ${STATEMENT_MS}`).catch(() => undefined)
  return rowCount === 1
}

function listValues(
  { epoch, seq, token }: Term,
  { put, deleted }: Rows,
  schema: number,
): unknown[] {
  return [
    epoch,
    seq,
    put.map(({ kind }) => kind),
    put.map(({ id }) => id),
    put.map(({ value }) => value),
    deleted.map(({ kind }) => kind),
    deleted.map(({ id }) => id),
    schema,
    token,
    put.map(({ isNew }) => isNew),
  ]
}

/** Shows the others that the primary is alive. False: another process has the lease. */
export async function beat(client: PostgresClient, { epoch, token }: Term): Promise<boolean> {
  const text =
    'update slipway.cluster set beat_at = clock_timestamp() where epoch = $1 and holder = $2'
  return (await client.query({ name: 'beat', text, values: [epoch, token] })).rowCount === 1
}

/**
 * The last commit, if the process with this token has the lease now; undefined: another one has.
 */
export async function readLastCommit(
  client: PostgresClient,
  token: string,
  patienceMs: number,
): Promise<number | undefined> {
  const text = 'select seq from slipway.cluster where holder = $1'
  const question = { name: 'last-commit', text, values: [token], query_timeout: patienceMs }
  const { rows } = await client.query<{ seq: string }>(question)
  return rows[0] && Number(rows[0].seq)
}

/** How long giving the lease up may take, in ms: the others notice it later without. */
const RESIGN_MS = 2000

/** Gives the lease up, and notifies the hosts that wait. */
export async function stepDown(client: PostgresClient, { epoch, token }: Term): Promise<void> {
  const text =
    'update slipway.cluster set beat_at = to_timestamp(0) where epoch = $1 and holder = $2'
  const notice = client
    .query(text, [epoch, token])
    .then(() => client.query(`notify ${LEASE_CHANNEL}`))
  await endsWithin(RESIGN_MS, notice)
}

/** A primary that is silent for so long may be replaced, by PostgreSQL's clock. */
export const SILENCE_MS = 5000

const CLAIM = `
with mine as (
  update slipway.cluster set epoch = epoch + 1, holder = $2, address = $5, beat_at = clock_timestamp()
  where epoch = $1 and id = $4 and ($3 or clock_timestamp() - beat_at > interval '${SILENCE_MS} ms')
  returning epoch, seq, holder
)
insert into slipway.term (epoch, since, holder) select epoch, seq, holder from mine returning epoch, since`

interface Claim {
  /** The cluster. */
  id: string
  /** The epoch that ends. */
  epoch: number
  token: string
  /** Where other hosts reach this one; null: nowhere. */
  address: string | null
  /** Whether its primary has ended or is the one that asks: then there is no silence to wait for. */
  isFree: boolean
}

/**
 * Begins the next term, and holds its lock with this session. It waits for a commit of the term
 * before that is still under way, after which no commit of that term counts. Undefined: the primary
 * is there, or another one was first.
 */
export async function claim(
  client: PostgresClient,
  { id, epoch, token, address, isFree }: Claim,
): Promise<Term | undefined> {
  if (!(await lock(client, 'pg_try_advisory_lock', epoch + 1))) return undefined

  const { rows } = await client.query<{ epoch: string; since: string }>(CLAIM, [
    epoch,
    token,
    isFree,
    id,
    address,
  ])

  const mine = rows[0]
  if (mine !== undefined) return { epoch: Number(mine.epoch), seq: Number(mine.since), token }
  await lock(client, 'pg_advisory_unlock', epoch + 1)
  return undefined
}

/**
 * Returns where the term after this epoch began, which says whether the last commit of the epoch was
 * kept. Undefined while the epoch lasts.
 */
export async function nextTerm(client: PostgresClient, epoch: number): Promise<Term | undefined> {
  const { rows } = await client.query<{ since: string; holder: string }>(
    'select since, holder from slipway.term where epoch = $1',
    [epoch + 1],
  )
  const next = rows[0]
  return next && { epoch: epoch + 1, seq: Number(next.since), token: next.holder }
}

/**
 * Whether the session of this epoch's primary has ended. Those who ask do not get in each other's
 * way.
 */
export async function isSessionOver(client: PostgresClient, epoch: number): Promise<boolean> {
  const isFree = await lock(client, 'pg_try_advisory_lock_shared', epoch)
  if (isFree) await lock(client, 'pg_advisory_unlock_shared', epoch)
  return isFree
}

type LockCall =
  | 'pg_try_advisory_lock'
  | 'pg_advisory_unlock'
  | 'pg_try_advisory_lock_shared'
  | 'pg_advisory_unlock_shared'

async function lock(client: PostgresClient, call: LockCall, epoch: number): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>(`select ${call}($1, $2) as got`, [
    LEASE_LOCK,
    epoch % 2 ** 31,
  ])
  return rows[0]?.got === true
}
