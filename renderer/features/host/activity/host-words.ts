import type { Activity, Transfer } from '../../../../server/contract'
import { formatSpeed } from '../../../lib/words/format'

type Presence = Pick<Activity, 'sharing' | 'awaited' | 'reachable' | 'on_battery'>

/** 'Online: 3 people downloading, 42.00 MB/s': what the person at the machine wants to know at a glance. */
export function stateLine({ totals, ...activity }: Omit<Presence, 'on_battery'> & Pick<Activity, 'totals'>): string {
  const state = stateOf(activity)
  const doings = [downloading(totals.downloaders), uploading(totals.uploads)].filter((text) => text !== '')
  if (doings.length === 0) return state === ONLINE ? `${state}: nothing is moving` : state
  return [`${state}: ${doings.join(' and ')}`, formatSpeed(totals.speed)].join(', ')
}

const ONLINE = 'Online'

function stateOf({ sharing, awaited, reachable }: Omit<Presence, 'on_battery'>): string {
  if (!sharing) return 'On this computer only'
  if (reachable) return ONLINE
  return awaited.length > 0 ? 'Waiting for its address: on this computer only' : 'No network: on this computer only'
}

/** What that means for the others. */
export function presence({ sharing, awaited, reachable, on_battery }: Presence): string {
  if (!sharing) return 'Others cannot reach this host until you share it on your network.'
  if (awaited.length > 0) return waitingFor(awaited)
  if (!reachable) return 'Others reach this host as soon as this computer is in a network again.'
  if (on_battery)
    return 'This computer runs on its battery and may fall asleep soon. A computer that sleeps is offline.'
  return 'Closing the window keeps this host online. A computer that sleeps is offline.'
}

const waitingFor = (addresses: readonly string[]) =>
  `You share it at ${addresses.join(' and ')} only, which this computer does not have now. It goes on by itself once it has ${
    addresses.length === 1 ? 'that address' : 'one of them'
  } again.`

function downloading(people: number): string {
  if (people === 0) return ''
  return people === 1 ? '1 person downloading' : `${people} people downloading`
}

function uploading(uploads: number): string {
  if (uploads === 0) return ''
  return uploads === 1 ? '1 upload' : `${uploads} uploads`
}

/** 'alice', or 'Visitor at 192.168.1.20'. */
export const whoOf = ({ who, address }: Pick<Transfer, 'who' | 'address'>): string => who ?? `Visitor at ${address}`

export const nameOf = ({ filename, direction }: Pick<Transfer, 'filename' | 'direction'>): string =>
  filename ?? (direction === 'upload' ? 'A new file' : 'A file')

/** '2 min left'; empty: nobody knows. */
export function timeLeft({ bytes, size, speed }: Pick<Transfer, 'bytes' | 'size' | 'speed'>): string {
  if (size === null || speed <= 0) return ''
  const seconds = Math.ceil((size - bytes) / speed)
  if (seconds < 60) return `${seconds} s left`
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min left`
  return seconds < 86_400 ? `${Math.ceil(seconds / 3600)} h left` : 'More than a day left'
}
