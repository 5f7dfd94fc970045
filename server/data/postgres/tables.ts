import type { PostgresClient } from './connection'
import { PostgresError } from './postgres-error'

/**
 * The tables of a cluster. `cluster` has one row, its head, which orders and fences changes: `seq`
 * is the last commit, `epoch` says who may commit, `address` is where other hosts reach that one.
 * Without that row no process can. `key_proof` is of the cluster's secret. Records are JSON texts
 * as in the journal (jsonb refuses U+0000); null: deleted, which is forgotten where `seq` is at
 * most `gone_before`. What was deleted until `mark_seq` goes a day after `mark_at`. Counters have
 * the kind `counter`. `term`: where each epoch began. `ended`: clusters that have left. `host`:
 * what each host last reported. `file`: what is the same in each data folder, encrypted, without
 * content where it was deleted; `files_seq` is the last commit that changed one. `audit`: lines of
 * the audit log.
 */
const DEFINITIONS = `
create schema slipway;
create table slipway.cluster (
  one bool primary key default true check (one),
  id text not null, schema int not null, key_proof text not null,
  seq bigint not null, epoch bigint not null, files_seq bigint not null,
  holder text, -- name of the host, '#', and what tells its processes apart
  address text,
  beat_at timestamptz not null default to_timestamp(0),
  gone_before bigint not null default 0,
  mark_seq bigint not null default 0, mark_at timestamptz not null default to_timestamp(0));
create table slipway.record (
  kind text not null, id text not null, value text,
  seq bigint not null, born bigint not null, primary key (kind, id));
create index record_seq on slipway.record (seq);
create table slipway.term (
  epoch bigint primary key, since bigint not null, holder text not null,
    at timestamptz not null default now());
create table slipway.ended (id text primary key, epoch bigint not null,
  at timestamptz not null default now());
create table slipway.host (
  id text primary key, address text, version text not null, role text not null,
  seq bigint not null, behind bigint not null, transfers int not null,
    seen_at timestamptz not null);
create table slipway.file (name text primary key, version bigint not null, content bytea,
  seq bigint not null);
create table slipway.audit (
  id bigint generated always as identity primary key, day date not null, line text not null);
create index audit_day on slipway.audit (day)`

/** The comment of the schema says that the tables are ours. A later form gets a later number. */
const FORM = 'slipway-tables-1'

/** The first key of advisory locks; the second is the epoch whose primary holds it. */
export const LEASE_LOCK = 53461
/** `born` of a record: `seq * PLACES + its place in the commit`. */
export const PLACES = 1_048_576

/** The head of a cluster, by PostgreSQL's clock. */
export interface Head {
  id: string
  /** The schema of the records. */
  schema: number
  seq: number
  epoch: number
  /** The name of the host that holds or last held the lease; null: none has. */
  primary: string | null
  /** That name, and what tells this process of it apart. */
  token: string | null
  /** How long the primary has been silent, in seconds; null: it stepped down. */
  silent: number | null
  /** See `FileCipher`. */
  keyProof: string
}

/** The tables of Slipway in a database. */
export interface Tables {
  head: Head | undefined
  /** Clusters that have left. */
  ended: string[]
}

/**
 * Undefined if there are no tables of ours. Throws PostgresError where there are others in their
 * place.
 */
export async function findTables(client: PostgresClient): Promise<Tables | undefined> {
  if (!(await hasTables(client))) return undefined
  return { head: await readHead(client), ended: await readEnded(client) }
}

async function hasTables(client: PostgresClient): Promise<boolean> {
  const { rows } = await client.query<{ form: string | null }>(
    `select obj_description(oid, 'pg_namespace') as form from pg_namespace where nspname =
      'slipway'`,
  )
  const schema = rows[0]
  if (schema === undefined || schema.form === FORM) return schema !== undefined
  throw new PostgresError(
    schema.form?.startsWith('slipway-tables-') === true
      ? 'The tables in PostgreSQL were made by another Slipway. Install that version'
      : 'The database already has a schema `slipway` that is not of a cluster. Give a database ' +
          'of its own',
  )
}

/** Undefined if the cluster has ended. */
async function readHead(client: PostgresClient): Promise<Head | undefined> {
  const { rows } = await client.query<
    Record<'id' | 'seq' | 'epoch', string> & Pick<Head, 'schema' | 'token' | 'silent' | 'keyProof'>
  >(
    `select id, schema, seq, epoch, holder as token, ${SILENT} as silent, key_proof as "keyProof"
     from slipway.cluster`,
  )
  const row = rows[0]
  return (
    row && {
      ...row,
      seq: Number(row.seq),
      epoch: Number(row.epoch),
      primary: row.token === null ? null : hostOf(row.token),
    }
  )
}

/** How long a primary has been silent by PostgreSQL's clock, in seconds; null: it stepped down. */
export const SILENT = `case when beat_at > to_timestamp(0)
  then extract(epoch from clock_timestamp() - beat_at)::float8 end`

/** The name of the host whose process has this token. */
export const hostOf = (token: string): string => token.split('#')[0] ?? token

async function readEnded(client: PostgresClient): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('select id from slipway.ended order by at')
  return rows.map(({ id }) => id)
}

/**
 * The head of the cluster `id`. Throws PostgresError where PostgreSQL has another cluster or none,
 * or records of a newer `schema` than ours.
 */
export async function requireCluster(
  client: PostgresClient,
  id: string,
  schema: number,
): Promise<Head> {
  const tables = await findTables(client)
  if (tables?.ended.includes(id) === true)
    throw new PostgresError(
      'This cluster has ended: `slipway cluster leave` moved it back into its data folder',
    )
  if (tables?.head === undefined)
    throw new PostgresError(
      'PostgreSQL has no cluster. Correct the file of --cluster, or restore the database from ' +
        'its backup',
    )
  if (tables.head.id !== id)
    throw new PostgresError(
      'PostgreSQL has another cluster than this data folder. Correct --data or the file of ' +
        '--cluster',
    )
  if (tables.head.schema > schema)
    throw new PostgresError(
      'The records in PostgreSQL were written by a newer Slipway (schema ' +
        `${tables.head.schema}). Install that version`,
    )
  return tables.head
}

/** Makes the tables where they are missing. Call it within a transaction. */
export async function makeTables(client: PostgresClient): Promise<void> {
  if (!(await hasTables(client)))
    await client.query(`${DEFINITIONS}; comment on schema slipway is '${FORM}'`)
}

/** Lets no other process make or end a cluster until this transaction ends. */
export async function lockTables(client: PostgresClient): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1, -1)', [LEASE_LOCK])
}

/**
 * Begins a cluster of records that end with the commit `seq`. No epoch of an earlier one comes
 * again.
 */
export async function beginCluster(
  client: PostgresClient,
  { id, schema, seq, keyProof }: Pick<Head, 'id' | 'schema' | 'seq' | 'keyProof'>,
): Promise<void> {
  await client.query(
    `insert into slipway.cluster (id, schema, seq, epoch, key_proof, files_seq)
     select $1, $2, $3, coalesce(max(epoch), 0), $4, $3 from slipway.ended`,
    [id, schema, seq, keyProof],
  )
}

/**
 * Ends a cluster and deletes its records: without a head no host can commit or claim the lease. A
 * primary that waits for the answer to its last commit still reads in `term` whether it counts.
 */
export async function endCluster(client: PostgresClient, { id, epoch, seq }: Head): Promise<void> {
  await client.query('delete from slipway.cluster')
  await client.query('truncate slipway.record, slipway.file, slipway.audit')
  await client.query('delete from slipway.host')
  await client.query(`insert into slipway.term (epoch, since, holder) values ($1, $2, '')`, [
    epoch + 1,
    seq,
  ])
  await client.query('insert into slipway.ended (id, epoch) values ($1, $2)', [id, epoch + 1])
}
