import pg from 'pg'
import { PostgresError, postgresError } from './postgres-error'

/** A session of PostgreSQL. */
export class PostgresClient extends pg.Client {
  async [Symbol.asyncDispose](): Promise<void> {
    await this.end().catch(() => undefined)
  }
}

/**
 * How long PostgreSQL may take to accept a connection, and to answer, in ms. It gives up before we
 * do, and says so.
 */
const CONNECT_MS = 5000
const ANSWER_MS = 12_000
export const STATEMENT_MS = 10_000

/** Keep-alive: dead clients end within seconds, as their locks tell others who is there. */
const sessionOf = (statementMs: number) => `
set client_encoding = 'UTF8';
set default_transaction_isolation = 'read committed';
set statement_timeout = ${statementMs};
set idle_in_transaction_session_timeout = 0;
set idle_session_timeout = 0;
set tcp_keepalives_idle = 3;
set tcp_keepalives_interval = 1;
set tcp_keepalives_count = 3`

/** Settings of PostgreSQL that lose acknowledged changes; `good` lists what is safe. */
const SAFE: Readonly<Record<string, { good: readonly string[]; why: string }>> = {
  fsync: { good: ['on'], why: 'a power cut would damage the library' },
  full_page_writes: { good: ['on'], why: 'a power cut would damage the library' },
  synchronous_commit: {
    good: ['on', 'remote_apply'],
    why: 'it would acknowledge changes before they are on disk',
  },
  server_encoding: { good: ['UTF8'], why: 'it could not keep every text' },
}
/** The oldest PostgreSQL whose settings we know. */
const OLDEST = 14

/** What PostgreSQL told of itself. */
export interface PostgresState {
  /** `15.8`. */
  version: string
  /** How many standbys follow it now. */
  standbys: number
  /** Whether a commit waits for one of them. */
  isSynchronous: boolean
}

/**
 * Opens a session. `isPatient`: its statements may take any time, as those of moves and backups do.
 * Throws PostgresError. A session that breaks fails its next statement.
 */
export async function connect(
  postgres: string,
  { isPatient = false } = {},
): Promise<PostgresClient> {
  let client: PostgresClient | undefined
  try {
    client = new PostgresClient({
      connectionString: postgres,
      application_name: 'slipway',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      ...(isPatient ? {} : { query_timeout: ANSWER_MS }),
    })

    // Without a listener, a broken session would end the process.
    client.on('error', () => undefined)
    await client.connect()
    await client.query(sessionOf(isPatient ? 0 : STATEMENT_MS))
    return client
  } catch (cause) {
    await client?.end().catch(() => undefined)
    throw postgresError(cause)
  }
}

/**
 * Throws PostgresError where PostgreSQL could lose what it has acknowledged, or is a standby, and
 * pins how this session commits: a later change of PostgreSQL's configuration cannot weaken it.
 */
export async function requireSafe(client: PostgresClient): Promise<PostgresState> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name = any($1)
     union all select 'standbys', count(*)::text from pg_stat_replication
     union all select 'is_standby', pg_is_in_recovery()::text`,
    [[...Object.keys(SAFE), 'server_version_num', 'server_version', 'synchronous_standby_names']],
  )

  const settings = new Map(rows.map(({ name, setting }) => [name, setting]))
  const value = (name: string) => settings.get(name) ?? ''

  const major = Math.floor(Number(value('server_version_num')) / 10_000)
  if (major < OLDEST)
    throw new PostgresError(
      `This is PostgreSQL ${value('server_version')}: install ${OLDEST} or later`,
    )
  if (value('is_standby') === 'true')
    throw new PostgresError(
      'PostgreSQL is a standby, which accepts no changes. Give the address of the primary',
    )

  for (const [name, { good, why }] of Object.entries(SAFE)) {
    if (good.includes(value(name))) continue
    const remedy =
      name === 'server_encoding' ? 'create the database with --encoding=UTF8' : `set ${name} = on`
    throw new PostgresError(
      `PostgreSQL has ${name} = ${value(name)}: ${why}. In PostgreSQL, ${remedy}`,
    )
  }

  await client.query(`set synchronous_commit = ${value('synchronous_commit')}`)
  const version = value('server_version').split(' ')[0] ?? ''
  return {
    version,
    standbys: Number(value('standbys')),
    isSynchronous: value('synchronous_standby_names') !== '',
  }
}

/** A session on a PostgreSQL that loses nothing. Throws PostgresError. */
export async function openSafe(
  postgres: string,
  patience?: { isPatient: boolean },
): Promise<PostgresClient> {
  const client = await connect(postgres, patience)

  try {
    await requireSafe(client)
    return client
  } catch (cause) {
    await client.end().catch(() => undefined)
    throw postgresError(cause)
  }
}

/** What an operator should know; undefined: nothing. */
export const postgresWarning = ({ standbys, isSynchronous }: PostgresState): string | undefined =>
  standbys > 0 && !isSynchronous
    ? 'PostgreSQL has a standby, but does not wait for it: failing over may lose acknowledged ' +
      'changes. Set synchronous_standby_names in PostgreSQL'
    : undefined

/**
 * Throws PostgresError where the address leads to a pool that lends a session for one transaction:
 * locks and settings of ours would be those of others, too.
 */
export async function requireOwnSessions(postgres: string, client: PostgresClient): Promise<void> {
  await using other = await connect(postgres)
  try {
    const before = await readProcessId(client)
    await other.query('begin')
    const others = await readProcessId(other)
    const isOwn = others !== before && (await readProcessId(client)) === before
    await other.query('rollback')

    if (!isOwn)
      throw new PostgresError(
        'This is a connection pool in transaction mode. Give the address of PostgreSQL ' +
          'itself, or of a pool in session mode',
      )
  } catch (cause) {
    throw postgresError(cause)
  }
}

async function readProcessId(client: PostgresClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}
