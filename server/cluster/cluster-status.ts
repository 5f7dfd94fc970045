import { connect, postgresWarning, requireSafe } from '../data/postgres/connection'
import { PostgresError } from '../data/postgres/postgres-error'
import { listHosts } from '../data/postgres/hosts'
import { findTables } from '../data/postgres/tables'
import { SCHEMA } from '../data/library/schema'
import { behindText, hostStateText, isSilent } from '../texts/host/cluster-texts'
import type { ClusterHost } from '../contract'
import { explainClusterError } from './explain-error'
import { formatQuantity } from '../texts/format'

/** The longest silence of a primary that runs, in seconds. */
export const PRIMARY_SILENCE_S = 5

/** The reply of `slipway cluster status --json`. */
export interface ClusterStatus {
  /** Whether a host holds the lease and still reports. */
  state: 'running' | 'no_primary'
  cluster_id: string
  primary: string | null
  /** How often the lease was taken. */
  epoch: number
  /** Seconds since the primary last reported, by PostgreSQL's clock; null: it stopped in order. */
  silent_seconds: number | null
  changes: number
  records: number
  /** Schema version of the records. */
  schema: number
  /** The newest schema that this version reads. */
  newest_schema: number
  /** The hosts that reported in the last day, sorted by name. */
  hosts: ClusterHost[]
  postgres: { version: string; standbys: number; is_synchronous: boolean; warning: string | null }
}

/**
 * Asks PostgreSQL alone. Throws PostgresError if PostgreSQL is unreachable, unsafe, or has no
 * cluster.
 */
export async function readClusterStatus(postgres: string): Promise<ClusterStatus> {
  try {
    await using client = await connect(postgres)
    const state = await requireSafe(client)
    const head = (await findTables(client))?.head
    if (head === undefined)
      throw new PostgresError(
        'PostgreSQL has no cluster. Make one with: slipway cluster init --data FOLDER ' +
          '--cluster FILE',
      )

    const { rows } = await client.query<{ count: string }>(
      'select count(*) from slipway.record where value is not null',
    )

    const { version, standbys, isSynchronous } = state
    const { silent } = head

    return {
      state: silent !== null && silent <= PRIMARY_SILENCE_S ? 'running' : 'no_primary',
      cluster_id: head.id,
      primary: head.primary,
      epoch: head.epoch,
      silent_seconds: silent,
      changes: head.seq,
      records: Number(rows[0]?.count),
      schema: head.schema,
      newest_schema: SCHEMA,
      hosts: await listHosts(client),
      postgres: {
        version,
        standbys,
        is_synchronous: isSynchronous,
        warning: postgresWarning(state) ?? null,
      },
    }
  } catch (cause) {
    throw explainClusterError(cause)
  }
}

/** The status as lines for people. */
export function describeCluster(status: ClusterStatus): string[] {
  const {
    state,
    primary,
    epoch,
    silent_seconds: silent,
    changes,
    records,
    schema,
    newest_schema: newest,
    hosts,
    postgres,
  } = status

  const since = silent === null ? 'stopped in order' : `last reported ${silent.toFixed(1)} s ago`
  const noPrimary =
    primary === null
      ? 'No host has been the primary yet'
      : `No host is the primary: ${primary} ${since}`
  const { version, standbys, is_synchronous: isSynchronous, warning } = postgres
  const waits = isSynchronous ? 'each change waits for a standby' : 'changes wait for no standby'

  return [
    state === 'running' ? `${primary} is the primary: it ${since}` : noPrimary,
    ...hosts.map((host, index) => (index === 0 ? 'Hosts' : '').padEnd(10) + describeHost(host)),
    `Epoch     ${epoch}`,
    `Changes   ${changes}`,
    `Records   ${records}, schema ` +
      `${schema}${schema === newest ? '' : ` (this version has ${newest})`}`,
    `Database  PostgreSQL ${version}, ${formatQuantity(standbys, 'standby')}, ${waits}`,
    ...(warning === null ? [] : [warning]),
  ]
}

function describeHost(host: ClusterHost): string {
  const { name, version, transfers } = host
  const now = isSilent(host) ? [] : [behindText(host), formatQuantity(transfers, 'transfer')]
  return [`${name}: ${hostStateText(host)}`, ...now, version].filter((it) => it !== '').join(', ')
}
