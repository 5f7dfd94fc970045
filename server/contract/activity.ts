import { z } from 'zod'
import { endpoint } from './endpoint'
import { id, time } from './fields'

const direction = z.enum(['download', 'upload'])
/** Whose it is: a username, or null for a visitor; and the IP address from which they came. */
const party = { who: z.string().nullable(), address: z.string() }

export const transferSchema = z.object({
  transfer_id: id,
  direction,
  /** Null while an upload has not said it yet. */
  filename: z.string().nullable(),
  ...party,
  /** Bytes that have gone over the wire. */
  bytes: z.int(),
  /** Bytes that this request will move; null: it has not said so. */
  size: z.int().nullable(),
  /** Bytes a second, over the last seconds. */
  speed: z.int(),
  started_at: time,
})
export type Transfer = z.infer<typeof transferSchema>

export const finishedTransferSchema = z.object({
  transfer_id: id,
  direction,
  filename: z.string().nullable(),
  ...party,
  bytes: z.int(),
  /** `cut`: by the host. `broken`: by the other side or the network, before the end. */
  outcome: z.enum(['done', 'cut', 'broken']),
  ended_at: time,
})
export type FinishedTransfer = z.infer<typeof finishedTransferSchema>

export const activitySchema = z.object({
  /** Whether the network is meant to reach this host, or this computer only. */
  sharing: z.boolean(),
  /** The addresses at which alone it is shared, while this computer has none of them; else none. */
  awaited: z.array(z.string()),
  /** The computer runs on its battery, so that it may fall asleep soon. False also where nobody can tell. */
  on_battery: z.boolean(),
  /** Whether there is an address for others: not where the computer is in no network. */
  reachable: z.boolean(),
  /** The longest first, at most 100. */
  transfers: z.array(transferSchema),
  totals: z.object({
    downloads: z.int(),
    uploads: z.int(),
    /** Different people and devices that are downloading. */
    downloaders: z.int(),
    /** Bytes a second, of all together. */
    speed: z.int(),
  }),
  /** What ended since the host was started, newest first, at most 50. */
  recent: z.array(finishedTransferSchema),
  /** Bytes of the disk that holds the blobs. */
  disk: z.object({ free: z.int(), total: z.int() }),
})
export type Activity = z.infer<typeof activitySchema>

export const activity = {
  now: endpoint({
    method: 'GET',
    path: '/api/host/activity',
    summary: 'Active and recent transfers',
    access: 'host',
    input: z.object({}),
    reply: z.object({ activity: activitySchema }),
    errors: [],
  }),
  events: endpoint({
    method: 'GET',
    path: '/api/host/events',
    summary: 'Active and recent transfers as they change, as server-sent events of the type `activity`',
    access: 'host',
    input: z.object({}),
    reply: z.object({ activity: activitySchema }),
    events: true,
    errors: ['busy'],
  }),
  cut: endpoint({
    method: 'DELETE',
    path: '/api/host/transfers/:id',
    summary: 'Cancel a transfer; the client may start it again',
    access: 'host',
    input: z.object({ id }),
    reply: z.object({}),
    errors: ['not_found'],
  }),
}
