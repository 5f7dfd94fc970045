import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, time } from '../fields'
import { bucketProblems } from './bucket'
import { internetSchema } from './internet'

const direction = z.enum(['download', 'upload'])
/** Username (null for a visitor) and IP address. */
const party = { who: z.string().nullable(), address: z.string() }

export const transferSchema = z.object({
  transfer_id: id,
  direction,
  /** Null while an upload has not sent it yet. */
  filename: z.string().nullable(),
  ...party,
  /** Bytes on the wire. */
  bytes: z.int(),
  /** Bytes that this request moves; null: unknown. */
  size: z.int().nullable(),
  /** Bytes per second, recent average. */
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
  /** `cut`: by the host. `broken`: by the client or the network. */
  outcome: z.enum(['done', 'cut', 'broken']),
  ended_at: time,
})
export type FinishedTransfer = z.infer<typeof finishedTransferSchema>

export const clusterHostSchema = z.object({
  /** Name in its `--cluster` file. */
  name: z.string(),
  /** Address for the other hosts, or null. */
  address: z.string().nullable(),
  /** Makes the changes, answers reads, or only waits. */
  role: z.enum(['primary', 'replica', 'waiting']),
  version: z.string(),
  /** Changes that a replica had not applied at its last report. Null for other hosts. */
  behind: z.int().nullable(),
  /** Uploads and downloads in progress. */
  transfers: z.int(),
  /** Seconds since its last report. Hosts report every 2 seconds. */
  silent_seconds: z.int(),
})
export type ClusterHost = z.infer<typeof clusterHostSchema>

export const activitySchema = z.object({
  sharing: z.boolean(),
  /** Addresses to share that this computer does not currently have. */
  awaited: z.array(z.string()),
  /** False also if unknown. */
  on_battery: z.boolean(),
  /** Whether other devices have an address to use. False without a network. */
  reachable: z.boolean(),
  /** Access from the internet, or null if it is off. */
  internet: internetSchema.pick({ state: true, url: true }).nullable(),
  /** Longest running first, at most 100. */
  transfers: z.array(transferSchema),
  totals: z.object({
    downloads: z.int(),
    uploads: z.int(),
    downloaders: z.int(),
    /** Bytes per second, all transfers. */
    speed: z.int(),
  }),
  /** Ended since the host started, newest first, at most 50. */
  recent: z.array(finishedTransferSchema),
  /** Bytes of the disk with the blobs, or with running uploads where the blobs are in a bucket. */
  disk: z.object({ free: z.int(), total: z.int() }),
  /**
   * The hosts of this cluster by name; empty: its database does not answer. Null: this host is
   * alone.
   */
  hosts: z.array(clusterHostSchema).nullable(),
  /**
   * The bucket with the blobs of this cluster and its current problem. Null if the blobs are on a
   * disk.
   */
  blobs_bucket: z.object({ problem: z.enum(bucketProblems).nullable() }).nullable(),
})
export type Activity = z.infer<typeof activitySchema>

export const activity = {
  now: endpoint('GET', '/api/host/activity', {
    summary: 'Active and recent transfers',
    access: 'host',
    input: z.object({}),
    reply: z.object({ activity: activitySchema }),
  }),
  events: endpoint('GET', '/api/host/events', {
    summary:
      'Active and recent transfers as they change, as server-sent events of the type `activity`',
    access: 'host',
    input: z.object({}),
    reply: z.object({ activity: activitySchema }),
    events: true,
    errors: ['busy'],
  }),
  cut: endpoint('DELETE', '/api/host/transfers/:id', {
    summary: 'Cancel a transfer; the client may start it again',
    access: 'host',
    input: z.object({ id: describe(id, 'The id of the transfer', 'f4Tn8cWq2ZpL') }),
    errors: ['not_found'],
  }),
}
