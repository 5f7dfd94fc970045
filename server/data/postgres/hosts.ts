import { setTimeout as pause } from 'node:timers/promises'
import type { ClusterHost } from '../../contract'
import { endsWithin } from '../../core/deadline'
import { connect, requireOwnSessions, type PostgresClient } from './connection'
import { PostgresError } from './postgres-error'
import { drop } from './fresh-checks'
import { LEASE_LOCK } from './tables'

/** What a host reports. */
export interface HostReport {
  /** The name of the host. */
  id: string
  /** Where other hosts reach it; null: nowhere. */
  address: string | null
  /** The version of Slipway. */
  version: string
  role: 'primary' | 'replica' | 'waiting'
  /** The last commit that it knows. */
  seq: number
  /** How many are under way at it. */
  transfers: number
}

const REPORT_MS = 2000
/**
 * How long the session of a host whose computer has vanished may last, in ms: its keep-alive gives
 * up before.
 */
const GONE_MS = 10_000
/** How often to look whether it has ended, in ms. */
const LOOK_MS = 200
/** How long an orderly end may take, in ms: a host that stays listed does no harm. */
const END_MS = 1000

/** Reports what this host is now. */
export async function reportHost(session: PostgresClient, report: HostReport): Promise<void> {
  const { id, address, version, role, seq, transfers } = report
  const text = `insert into slipway.host
      (id, address, version, role, seq, behind, transfers, seen_at)
    select $1, $2, $3, $4, $5::bigint, greatest(0, max(seq) - $5::bigint), $6::int,
      clock_timestamp() from slipway.cluster
    on conflict (id) do update set address = excluded.address, version = excluded.version,
      role = excluded.role, seq = excluded.seq, behind = excluded.behind,
      transfers = excluded.transfers, seen_at = excluded.seen_at`
  await session.query({
    name: 'report',
    text,
    values: [id, address, version, role, seq, transfers],
  })
}

/** The hosts of the last day, by name. */
export async function listHosts(session: PostgresClient): Promise<ClusterHost[]> {
  const { rows } = await session.query<ClusterHost>(
    `select id as name, address, role, version, transfers,
       case when role = 'replica' then behind::float8 end as behind,
       floor(greatest(0, extract(epoch from clock_timestamp() - seen_at)))::int as silent_seconds
     from slipway.host where seen_at >= clock_timestamp() - interval '1 day' order by id`,
  )
  return rows
}

/** How far the copies of a cluster are behind. */
export interface ClusterLag {
  /** The replicas of the last day, by name. */
  replicas: { name: string; behind: number }[]
  /** How many standbys follow PostgreSQL. */
  standbys: number
  /** Of the slowest standby, in seconds; NaN: this account of PostgreSQL may not see it. */
  standbySeconds: number
}

/**
 * How far a standby is behind: PostgreSQL measures it at each reply, so the silence since the last
 * one, by the clock of the standby, comes on top.
 */
const BEHIND = `case when replay_lsn < sent_lsn then
  greatest(coalesce(replay_lag, '0') + (clock_timestamp() - reply_time), '0') end`
/** Without base backups and copies of the log alone, which replay nothing. */
const IS_STANDBY = 'state is null or replay_lsn is not null'

/** Asks how far replicas and standbys are behind. */
export async function readLag(session: PostgresClient): Promise<ClusterLag> {
  const hosts = await listHosts(session)
  const { rows } = await session.query<{ standbys: number; seconds: number | null }>(
    `select count(*)::int as standbys,
       case when bool_and(state is not null)
         then coalesce(extract(epoch from max(${BEHIND})), 0)::float8 end as seconds
     from pg_stat_replication where ${IS_STANDBY}`,
  )

  const replicas = hosts
    .filter(({ role }) => role === 'replica')
    .map(({ name, behind }) => ({ name, behind: behind ?? 0 }))
  return { replicas, standbys: rows[0]?.standbys ?? 0, standbySeconds: rows[0]?.seconds ?? NaN }
}

/** Forgets a host that has stopped in order. */
async function forgetHost(session: PostgresClient, id: string): Promise<void> {
  await session.query('delete from slipway.host where id = $1', [id])
}

/** Two hosts of one name would hide each other. */
class NameTakenError extends PostgresError {}

/**
 * Reports every 2 s what this host is, over a session of its own, which holds its name. Continues
 * while PostgreSQL is away.
 */
export class HostReports {
  #session: PostgresClient | undefined
  readonly #stop = new AbortController()
  #work: Promise<void> = Promise.resolve()

  constructor(
    private readonly postgres: string,
    private readonly current: () => HostReport,
  ) {}

  /**
   * Begins. Throws PostgresError where another host that runs has the name of this one. What ran as
   * this host before has `patienceMs` to be gone.
   */
  async begin(patienceMs = GONE_MS): Promise<void> {
    const until = performance.now() + patienceMs

    for (;;) {
      try {
        this.#session = await this.#open()
        break
      } catch (error) {
        if (!(error instanceof NameTakenError)) break
        if (performance.now() >= until) throw error
      }
      await pause(LOOK_MS)
    }

    this.#work = this.#run()
  }

  /** Forgets this host, if PostgreSQL answers soon. */
  async end(): Promise<void> {
    this.#stop.abort()
    await endsWithin(END_MS, this.#forget()).catch(() => undefined)
  }

  async #forget(): Promise<void> {
    await this.#work
    try {
      if (this.#session) await forgetHost(this.#session, this.current().id)
    } finally {
      drop(this.#session)
    }
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#report().catch(() => {
        drop(this.#session)
        this.#session = undefined
      })
      await pause(REPORT_MS, undefined, { ref: false, signal: this.#stop.signal }).catch(
        () => undefined,
      )
    }
  }

  async #report(): Promise<void> {
    this.#session ??= await this.#open()
    await reportHost(this.#session, this.current())
  }

  /** A crash may lose a report: the next one follows soon. */
  async #open(): Promise<PostgresClient> {
    const session = await connect(this.postgres)
    try {
      await requireOwnSessions(this.postgres, session)
      await holdName(session, this.current().id)
      await session.query('set synchronous_commit = off')
      return session
    } catch (cause) {
      drop(session)
      throw cause
    }
  }
}

/** Holds the name of a host with this session. Throws NameTakenError. */
async function holdName(session: PostgresClient, id: string): Promise<void> {
  const lock = 'select pg_try_advisory_lock(hashtextextended($1, $2)) as got'
  const { rows } = await session.query<{ got: boolean }>(lock, [id, LEASE_LOCK])
  if (rows[0]?.got === true) return
  const other = (await listHosts(session).catch(() => [])).find(({ name }) => name === id)
  const where = other?.address == null ? '' : ` at ${other.address}`
  throw new NameTakenError(
    `Another host of this cluster runs${where} by the name ${id}. Give each host its own ` +
      `"host" in its --cluster file`,
  )
}
