import { setTimeout as pause } from 'node:timers/promises'
import type { ClusterHost } from '../../contract'
import { endsWithin } from '../../core/deadline'
import { connect, type EngineClient } from './connection'
import { drop } from './fresh-checks'

/** What a host tells of itself. */
export interface HostReport {
  /** The name of the host. */
  id: string
  /** Where other hosts reach it; null: nowhere. */
  address: string | null
  /** Of Slipway. */
  version: string
  role: 'writer' | 'reader' | 'waiting'
  /** The last commit that it knows. */
  seq: number
  /** How many are under way at it. */
  transfers: number
}

export interface ListedHost extends HostReport {
  /** How many commits it did not know when it reported. */
  behind: number
  /** How long it has been silent, in seconds of the engine's clock. */
  silent: number
}

const REPORT_MS = 2000
/** How long an orderly end may take, in ms: a host that stays listed does no harm. */
const END_MS = 1000

/** Tells what this host is now. */
export async function reportHost(session: EngineClient, report: HostReport): Promise<void> {
  const { id, address, version, role, seq, transfers } = report
  const text = `insert into slipway.host (id, address, version, role, seq, behind, transfers, seen_at)
    select $1, $2, $3, $4, $5::bigint, greatest(0, max(seq) - $5::bigint), $6::int, clock_timestamp() from slipway.cluster
    on conflict (id) do update set address = excluded.address, version = excluded.version, role = excluded.role,
      seq = excluded.seq, behind = excluded.behind, transfers = excluded.transfers, seen_at = excluded.seen_at`
  await session.query({ name: 'report', text, values: [id, address, version, role, seq, transfers] })
}

/** The hosts of the last day, by name. */
export async function listHosts(session: EngineClient): Promise<ListedHost[]> {
  const { rows } = await session.query<Omit<ListedHost, 'seq' | 'behind'> & Record<'seq' | 'behind', string>>(
    `select id, address, version, role, seq, behind, transfers,
       greatest(0, extract(epoch from clock_timestamp() - seen_at))::float8 as silent
     from slipway.host where seen_at >= clock_timestamp() - interval '1 day' order by id`,
  )
  return rows.map((row) => ({ ...row, seq: Number(row.seq), behind: Number(row.behind) }))
}

/** The hosts as pages and commands show them. */
export const presentHosts = (listed: readonly ListedHost[]): ClusterHost[] =>
  listed.map(({ id, address, version, role, behind, transfers, silent }) => ({
    name: id,
    address,
    role,
    version,
    behind: role === 'reader' ? behind : null,
    transfers,
    silent_seconds: Math.floor(silent),
  }))

/** Forgets a host that has stopped in order. */
async function forgetHost(session: EngineClient, id: string): Promise<void> {
  await session.query('delete from slipway.host where id = $1', [id])
}

/** Tells each 2 s what this host is, over a session of its own. Goes on while the engine is away. */
export class HostReports {
  #session: EngineClient | undefined
  readonly #stop = new AbortController()
  readonly #work: Promise<void>

  constructor(
    private readonly engine: string,
    private readonly current: () => HostReport,
  ) {
    this.#work = this.#run()
  }

  /** Forgets this host, if the engine answers soon. */
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
      await pause(REPORT_MS, undefined, { ref: false, signal: this.#stop.signal }).catch(() => undefined)
    }
  }

  async #report(): Promise<void> {
    this.#session ??= await this.#open()
    await reportHost(this.#session, this.current())
  }

  /** What is lost in a crash is told again. */
  async #open(): Promise<EngineClient> {
    const session = await connect(this.engine)
    await session.query('set synchronous_commit = off')
    return session
  }
}
