import type { Activity, Transfer } from '../../../server/contract'
import { bucketProblemLine } from '../../../server/texts/host/bucket-texts'
import { clusterLine } from '../../../server/texts/host/cluster-texts'
import { isAppWindow } from '../../lib/browser/desktop'
import { formatSpeed, listTransfers } from '../../lib/texts/format'

type Presence = Pick<
  Activity,
  'sharing' | 'awaited' | 'reachable' | 'internet' | 'on_battery' | 'hosts' | 'blobs_bucket'
>

export function stateLine({
  totals,
  ...activity
}: Reachability & Pick<Activity, 'totals'>): string {
  const state = describeState(activity)
  const transfers = listTransfers(totals)
  if (transfers.length > 0)
    return `${state} · ${[...transfers, formatSpeed(totals.speed)].join(', ')}`
  return state === ONLINE || state === ANYWHERE ? `${state} · No transfers right now` : state
}

const ONLINE = 'Online'
const ANYWHERE = 'Online, from anywhere'
const LOCAL = 'This computer only'
const STOPPED = 'The database does not answer'

/** Whether people outside the network reach the host now. */
const isAnywhere = ({ internet }: Pick<Presence, 'internet'>) =>
  internet !== null && ['open', 'tunnel_open'].includes(internet.state)

export const isOnline = (activity: Reachability): boolean =>
  [ONLINE, ANYWHERE].includes(describeState(activity))

type Reachability = Omit<Presence, 'on_battery'>

function describeState({
  sharing,
  awaited,
  reachable,
  internet,
  hosts,
  blobs_bucket,
}: Reachability): string {
  if (hosts?.length === 0) return STOPPED
  const kind = blobs_bucket?.problem ?? null
  if (kind !== null) return bucketProblemLine({ kind, clock_off_s: null }).replace(/\.$/, '')
  if (isAnywhere({ internet })) return ANYWHERE
  if (!sharing) return LOCAL
  if (reachable) return ONLINE
  return `${LOCAL} · ${awaited.length > 0 ? 'Waiting for its address' : 'No network'}`
}

export function presence({
  sharing,
  awaited,
  reachable,
  internet,
  on_battery,
  hosts,
  blobs_bucket,
}: Presence): string {
  if (hosts?.length === 0) return clusterLine(hosts)

  const problem = blobs_bucket?.problem ?? null
  if (problem !== null)
    return `No build can be ${problem === 'full' ? '' : 'downloaded or '}uploaded now.`

  const isOutside = isAnywhere({ internet })
  if (!sharing && !isOutside) return 'Other devices cannot reach this host until you share it.'
  if (awaited.length > 0 && !isOutside) return waitingFor(awaited)
  if (!reachable && !isOutside)
    return 'Other devices can reach this host again when this computer joins a network.'
  if (hosts !== null) return clusterLine(hosts)

  const asleep = 'It goes offline when this computer sleeps.'
  if (on_battery)
    return (
      'This computer runs on battery and can fall asleep soon. The host is offline while it ' +
      'sleeps.'
    )

  return isAppWindow()
    ? `The host stays online when you close this window. ${asleep}`
    : `The host is online. ${asleep}`
}

const waitingFor = (addresses: readonly string[]) =>
  `You share this host only at ${addresses.join(' and ')}, and this computer does not have ${
    addresses.length === 1 ? 'that address' : 'those addresses'
  } now. Sharing resumes when it does.`

/** 'alice', or 'Visitor at 192.168.1.20'. */
export const whoOf = ({ who, address }: Pick<Transfer, 'who' | 'address'>): string =>
  who ?? `Visitor at ${address}`

export const nameOf = ({ filename, direction }: Pick<Transfer, 'filename' | 'direction'>): string =>
  filename ?? (direction === 'upload' ? 'A new file' : 'A file')

/** '2 min left'; empty while it is unknown. */
export function timeLeft({
  bytes,
  size,
  speed,
}: Pick<Transfer, 'bytes' | 'size' | 'speed'>): string {
  if (size === null || speed <= 0) return ''
  const seconds = Math.ceil((size - bytes) / speed)
  if (seconds < 60) return `${seconds} s left`
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min left`
  return seconds < 86_400 ? `${Math.ceil(seconds / 3600)} h left` : 'More than a day left'
}
