import { connect, engineWarning, requireSafe, type EngineClient } from '../data/engine/connection'
import { EngineError } from '../data/engine/engine-error'
import { listHosts, presentHosts } from '../data/engine/hosts'
import { findTables } from '../data/engine/tables'
import { SCHEMA } from '../data/library/schema'
import { behindText, hostStateText, isSilent } from '../texts/host/cluster-texts'
import type { ClusterHost } from '../contract'
import { inWords } from './in-words'
import { formatQuantity } from '../texts/format'

/** A writer that is silent for longer is not there, in seconds. */
const SILENCE_S = 5

/** The reply of `slipway cluster status --json`. */
export interface ClusterStatus {
  /** Whether a host holds the office and tells so. */
  state: 'running' | 'no_writer'
  cluster_id: string
  writer: string | null
  /** How often the office was taken. */
  epoch: number
  /**
   * Seconds since the writer last told that it is there, by the engine's clock; null: it stopped in
   * order.
   */
  silent_seconds: number | null
  changes: number
  records: number
  /** Of the records, and the newest that this version reads. */
  schema: number
  newest_schema: number
  /** By name, those of the last day. */
  hosts: ClusterHost[]
  engine: { version: string; standbys: number; is_synchronous: boolean; warning: string | null }
}

/** Asks the engine alone. Throws EngineError where it is away, unsafe, or has no cluster. */
export async function readClusterStatus(engine: string): Promise<ClusterStatus> {
  let client: EngineClient | undefined
  try {
    client = await connect(engine)
    const state = await requireSafe(client)
    const head = (await findTables(client))?.head
    if (head === undefined)
      throw new EngineError(
        'The engine has no cluster. Make one with: slipway cluster init --data FOLDER --cluster FILE',
      )
    const { rows } = await client.query<{ count: string }>(
      'select count(*) from slipway.record where value is not null',
    )
    const { version, standbys, isSynchronous } = state
    return {
      state: head.silent !== null && head.silent <= SILENCE_S ? 'running' : 'no_writer',
      cluster_id: head.id,
      writer: head.writer,
      epoch: head.epoch,
      silent_seconds: head.silent,
      changes: head.seq,
      records: Number(rows[0]?.count),
      schema: head.schema,
      newest_schema: SCHEMA,
      hosts: presentHosts(await listHosts(client)),
      engine: {
        version,
        standbys,
        is_synchronous: isSynchronous,
        warning: engineWarning(state) ?? null,
      },
    }
  } catch (cause) {
    throw inWords(cause)
  } finally {
    await client?.end().catch(() => undefined)
  }
}

/** The status as lines for people. */
export function describeCluster(status: ClusterStatus): string[] {
  const {
    state,
    writer,
    epoch,
    silent_seconds: silent,
    changes,
    records,
    schema,
    newest_schema: newest,
    hosts,
    engine,
  } = status
  const since = silent === null ? 'stopped in order' : `last reported ${silent.toFixed(1)} s ago`
  const noWriter =
    writer === null
      ? 'No host has been the writer yet'
      : `No host is the writer: ${writer} ${since}`
  const { version, standbys, is_synchronous: isSynchronous, warning } = engine
  const waits = isSynchronous ? 'each change waits for a standby' : 'changes wait for no standby'
  return [
    state === 'running' ? `${writer} is the writer: it ${since}` : noWriter,
    ...hosts.map((host, index) => (index === 0 ? 'Hosts' : '').padEnd(10) + describeHost(host)),
    `Epoch     ${epoch}`,
    `Changes   ${changes}`,
    `Records   ${records}, schema ${schema}${schema === newest ? '' : ` (this version has ${newest})`}`,
    `Engine    PostgreSQL ${version}, ${formatQuantity(standbys, 'standby')}, ${waits}`,
    ...(warning === null ? [] : [warning]),
  ]
}

function describeHost(host: ClusterHost): string {
  const { name, version, transfers } = host
  const now = isSilent(host) ? [] : [behindText(host), formatQuantity(transfers, 'transfer')]
  return [`${name}: ${hostStateText(host)}`, ...now, version].filter((it) => it !== '').join(', ')
}
