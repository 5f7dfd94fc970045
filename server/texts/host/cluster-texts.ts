import type { ClusterHost } from '../../contract'
import { formatShortQuantity } from '../format'

/** Hosts report every 2 s. A longer silence means that something is wrong, in seconds. */
const HOST_SILENCE_S = 6

/** State of a cluster host: 'Primary', 'Reads', 'Stands by', or 'Silent for 5 min'. */
export const hostStateText = ({
  role,
  silent_seconds: silent,
}: Pick<ClusterHost, 'role' | 'silent_seconds'>): string =>
  isSilent({ silent_seconds: silent }) ? `Silent for ${silenceText(silent)}` : STATES[role]

/** Whether a host has missed reports: it is down, hangs, or does not reach the database. */
export const isSilent = ({
  silent_seconds: silent,
}: Pick<ClusterHost, 'silent_seconds'>): boolean => silent > HOST_SILENCE_S

/** Whether all hosts run: 'All 3 hosts run.', or which do not. */
export function clusterLine(hosts: readonly ClusterHost[]): string {
  const silent = hosts.filter(isSilent).map(({ name }) => name)
  if (silent.length > 0)
    return `${silent.join(', ')} ${silent.length === 1 ? 'does' : 'do'} not report.`
  if (hosts.length === 1) return 'Only one host is running. No other host can take over.'
  return hosts.length === 0
    ? 'No host can answer until the database responds.'
    : `All ${hosts.length} hosts run.`
}

/** Replication lag: 'up to date' or '3 changes behind'. Empty for a host that does not read. */
export function behindText({ behind }: Pick<ClusterHost, 'behind'>): string {
  if (behind === null) return ''
  if (behind === 0) return 'up to date'
  return `${formatShortQuantity(behind, 'change')} behind`
}

const STATES = { primary: 'Primary', replica: 'Replica', waiting: 'Standby' } as const

function silenceText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return `${Math.floor(seconds / 3600)} h`
}
