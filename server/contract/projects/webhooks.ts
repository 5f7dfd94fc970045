import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, line, projectId, time } from '../fields'

/**
 * An address that shows its host: no user name, which hides it, and no fragment, which is not sent.
 */
const address = z
  .string('Enter the address')
  .trim()
  .max(2000, 'Use at most 2000 characters')
  .regex(
    /^https?:\/\/[^\s/?#@\\]+([/?][^\s#]*)?$/i,
    'Enter an address that begins with https:// or http://',
  )
  .refine((url) => URL.canParse(url), 'Enter an address that begins with https:// or http://')

const topic = address.refine(
  (url) => !URL.canParse(url) || new URL(url).pathname !== '/',
  'Enter the address of the topic, such as https://ntfy.sh/my-topic',
)
const noTarget = z.null('This service takes no room or chat')
const noToken = z.null('This service takes no token')

/** A service of which an address is all that the host needs. */
const plainService = <Name extends string>(name: Name) =>
  z.object({ service: z.literal(name), url: address, target: noTarget, token: noToken })

/** Where each service receives its messages; `json` is any server of your own. */
export const webhookReceiver = z.discriminatedUnion('service', [
  plainService('json'),
  plainService('discord'),
  plainService('slack'),
  plainService('mattermost'),
  plainService('matrix').extend({
    target: z.string('Enter the id of the room'),
    token: z.string('Enter the access token'),
  }),
  plainService('ntfy').extend({ url: topic, token: z.string().nullable() }),
  plainService('telegram').extend({
    url: address.default('https://api.telegram.org'),
    target: z.string('Enter the id of the chat'),
    token: z.string('Enter the token of the bot'),
  }),
])
export const webhookServices = webhookReceiver.options.map(({ shape }) => shape.service.value)
export type WebhookService = (typeof webhookServices)[number]

/** Events that a webhook sends, with what happened. */
export const webhookEventTexts = {
  'release.published': 'A release is published',
  'release.promoted': 'A release moves to another channel',
  'release.withdrawn': 'A release is withdrawn',
  'build.arrived': 'A build is uploaded (drafts included)',
  'post.created': 'News is posted',
  'downloads.reached': 'The 100th download, then the 1,000th and so on',
  'file.received': 'A file request of this project gets a file',
  'report.created': 'A person reports a problem',
  'report.replied': 'A reporter answers',
  'access.requested': 'A person asks for access',
} as const
export type WebhookEvent = keyof typeof webhookEventTexts
export const webhookEvents = Object.keys(webhookEventTexts) as WebhookEvent[]

/** A webhook without its secrets: the address, the token and the signing secret are never sent. */
export const webhookSchema = z.object({
  webhook_id: id,
  name: z.string(),
  service: z.enum(webhookServices),
  events: z.array(z.enum(webhookEvents)),
  /** The host name of its address, with a port if it is unusual. */
  host: z.string(),
  /** The room of Matrix or the chat of Telegram. */
  target: z.string().nullable(),
  has_token: z.boolean(),
  is_on: z.boolean(),
  /**
   * Why the host turned it off: a day of failures, or the receiver answered 410. Null if it is not
   * turned off.
   */
  off_reason: z.enum(['failures', 'gone']).nullable(),
  created_at: time,
  /** Messages that wait for their first or next try. */
  waiting: z.int(),
  /** The newest try of a delivery; null: none yet. */
  last_try: z.object({ at: time, succeeded: z.boolean() }).nullable(),
})
export type Webhook = z.infer<typeof webhookSchema>

export const deliverySchema = z.object({
  delivery_id: id,
  /** The `webhook-id` of the request, equal for each attempt. */
  message_id: z.string(),
  event: z.enum([...webhookEvents, 'test']),
  /** One sentence: `Lantern 1.4.0 was released`. */
  summary: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  created_at: time,
  tries: z.int(),
  /** Null if the host does not retry automatically. */
  next_try_at: time.nullable(),
  last_try: z
    .object({
      at: time,
      /** The HTTP status; null: no reply. */
      status: z.int().nullable(),
      /** Why it failed, or null. */
      error: z.string().nullable(),
      /** The beginning of the reply. */
      reply: z.string(),
      took_ms: z.int(),
    })
    .nullable(),
})
export type WebhookDelivery = z.infer<typeof deliverySchema>

const ofProject = z.object({ id: projectId })
const ofWebhook = ofProject.extend({
  webhookId: describe(id, 'The id of the webhook', 'w7Yd2pRw9KfM'),
})
const oneWebhook = z.object({ webhook: webhookSchema })
const oneDelivery = z.object({ delivery: deliverySchema })
const errors = ['not_found', 'forbidden'] as const
const sendErrors = [...errors, 'in_progress'] as const

export const webhookFieldsSchema = z.object({
  name: describe(line(60).min(1, 'Give the webhook a name'), 'A name of your choice', 'Team chat'),
  service: z
    .enum(webhookServices)
    .default('json')
    .meta({
      description: 'What receives the messages; `json`: a server of your own',
      examples: ['json'],
    }),
  url: describe(
    address.optional(),
    'Where messages go. For Matrix the home server; for ntfy the topic; Telegram needs none',
    'https://ci.example/slipway',
  ),
  target: describe(
    line(255).nullish(),
    'The room id of Matrix, or the chat id of Telegram',
    '!lantern:matrix.example',
  ),
  access_token: describe(
    line(200).nullish(),
    'The access token of Matrix or ntfy, or the bot token of Telegram; never sent back',
    'syt_c2xpcHdheQ_4Hn8cW',
  ),
  events: z
    .array(z.enum(webhookEvents))
    .min(1, 'Choose at least one event')
    .max(webhookEvents.length)
    .default(['release.published'])
    .meta({
      description: 'The events to send',
      examples: [['release.published', 'release.withdrawn']],
    }),
})
const { name, url, target, access_token } = webhookFieldsSchema.shape

export const webhooks = {
  list: endpoint('GET', '/api/projects/:id/webhooks', {
    summary: 'The webhooks of a project, oldest first, for its owner',
    access: 'user',
    input: ofProject,
    reply: z.object({ webhooks: z.array(webhookSchema) }),
    errors,
  }),
  create: endpoint('POST', '/api/projects/:id/webhooks', {
    summary: 'Add a webhook; the secret that signs its messages is in this reply only',
    access: 'user',
    input: ofProject.extend(webhookFieldsSchema.shape),
    /** Null: the service verifies no signatures. */
    reply: oneWebhook.extend({ secret: z.string().nullable() }),
    status: 201,
    errors: [...errors, 'too_many_records'],
  }),
  update: endpoint('PUT', '/api/projects/:id/webhooks/:webhookId', {
    summary: 'Change a webhook; a new address needs its token again',
    access: 'user',
    input: ofWebhook.extend({
      name: name.optional(),
      url,
      target,
      access_token,
      events: describe(webhookFieldsSchema.shape.events.unwrap().optional(), 'The events to send', [
        'release.published',
      ]),
      is_on: z
        .boolean('Use true or false')
        .optional()
        .describe('If false, sends nothing and drops queued messages'),
    }),
    reply: oneWebhook,
    errors,
  }),
  remove: endpoint('DELETE', '/api/projects/:id/webhooks/:webhookId', {
    summary: 'Remove a webhook and its queued messages',
    access: 'user',
    input: ofWebhook,
    errors,
  }),
  renewSecret: endpoint('POST', '/api/projects/:id/webhooks/:webhookId/secret', {
    summary: 'Make a new signing secret; for a day messages have signatures by both',
    access: 'user',
    input: ofWebhook,
    reply: z.object({ secret: z.string() }),
    errors,
  }),
  test: endpoint('POST', '/api/projects/:id/webhooks/:webhookId/test', {
    summary: 'Send a test message now, once, and return the result',
    access: 'user',
    input: ofWebhook,
    reply: oneDelivery,
    errors: sendErrors,
  }),
  deliveries: endpoint('GET', '/api/projects/:id/webhooks/:webhookId/deliveries', {
    summary: 'The last 50 messages of a webhook with their replies, newest first',
    access: 'user',
    input: ofWebhook,
    reply: z.object({ deliveries: z.array(deliverySchema) }),
    errors,
  }),
  sendAgain: endpoint('POST', '/api/projects/:id/webhooks/:webhookId/deliveries/:deliveryId/send', {
    summary: 'Send a message again now, with the same id, and return the result',
    access: 'user',
    input: ofWebhook.extend({ deliveryId: describe(id, 'The id of the delivery', 'd3Kq8nWv5TxB') }),
    reply: oneDelivery,
    errors: sendErrors,
  }),
}
