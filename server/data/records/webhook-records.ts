import { z } from 'zod'
import { channel, id, releaseStates, time } from '../../contract/fields'
import { reportKinds } from '../../contract/report-schemas'
import { webhookEvents, webhookServices } from '../../contract/projects/webhooks'
import { bytes, text } from './fields'
import { received } from './file-records'

const short = z.string().max(2000)

/** A webhook of a project. Address, token and secrets leave the host only in its own requests. */
export type WebhookRecord = z.infer<typeof webhookRecord>

export const webhookRecord = z.object({
  id,
  projectId: id,
  /** The owner of the project. */
  ownerId: id,
  name: text,
  service: z.enum(webhookServices),
  events: z.array(z.enum(webhookEvents)).readonly(),
  url: z.url({ protocol: /^https?$/ }).max(2100),
  target: short.nullable(),
  token: short.nullable(),
  /** `whsec_` and base64, for `json` only. `until`: how long the one before also signs. */
  secret: short.nullable(),
  oldSecret: z.object({ secret: short, until: time }).optional(),
  isOn: z.boolean(),
  offReason: z.enum(['failures', 'gone']).optional(),
  offAt: time.optional(),
  createdAt: time,
  /** Tries that failed in a row. */
  failures: z.int().nonnegative(),
  /** No try before. */
  restsUntil: time.nullable(),
})

/** An event as data. The message is written when it is sent. */
export type Happening = z.infer<typeof happening>

export const happening = z.object({
  kind: z.enum([...webhookEvents, 'test']),
  projectId: id,
  slug: short,
  title: text,
  release: z
    .object({
      version: short,
      channel,
      state: z.enum(releaseStates),
      /** Previous channel of a promoted release. */
      from: channel.optional(),
      notes: short,
    })
    .optional(),
  file: z.object({ id, filename: short, size: bytes, sha256: z.string().max(64) }).optional(),
  received: received.omit({ requestId: true }).optional(),
  post: z.object({ id, content: short }).optional(),
  downloads: z.int().optional(),
  report: z
    .object({
      id,
      kind: z.enum(reportKinds),
      version: short.optional(),
      from: text.optional(),
      signature: z.string().max(200).optional(),
      /** The report, or the answer of the reporter. */
      text,
      files: z.int(),
    })
    .optional(),
  access: z.object({ id, name: text.optional(), email: text.optional(), note: text }).optional(),
})

/**
 * One message to one webhook. Queued until it is delivered or given up; the latest ones are kept.
 */
export type DeliveryRecord = z.infer<typeof deliveryRecord>

export const deliveryRecord = z.object({
  /** Id of the delivery and `webhook-id` of its requests. */
  id,
  webhookId: id,
  projectId: id,
  ownerId: id,
  /** Ascending in the order of what happened. */
  number: z.number(),
  happening,
  createdAt: time,
  state: z.enum(['waiting', 'delivered', 'failed']),
  tries: z.int().nonnegative(),
  nextTryAt: time,
  lastTry: z
    .object({
      at: time,
      status: z.int().nullable(),
      error: short.nullable(),
      reply: short,
      tookMs: z.int().nonnegative(),
    })
    .nullable(),
})
