import type Router from '@koa/router'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, type Webhook, type WebhookDelivery } from '../../contract'
import { notFound } from '../../core/errors'
import type { DeliveryRecord, WebhookRecord } from '../../data/records/webhook-records'
import { serve } from '../../http/endpoint/serve'
import { projectPolicy } from '../projects/policy'
import { makeHappening } from './happenings'
import { summaryOf } from './message'

type Deps = Rooms<'accounts' | 'data' | 'projects' | 'webhooks'>

interface Address {
  id: string
  webhookId: string
}

/** The webhooks of a project. For its owner only: responses may contain private names. */
export function webhookRoutes(router: Router, context: Deps): void {
  const { store: webhooks, queue, sender } = context.webhooks
  const { audit } = context.accounts
  const { requireProject, requireWebhook } = createGuards(context)

  serve(router, api.webhooks.list, ({ actor, input }) => ({
    webhooks: webhooks
      .ofProject(requireProject(actor, input.id).id)
      .map((it) => presentWebhook(context, it)),
  }))

  serve(router, api.webhooks.create, async ({ actor, input, ctx }) => {
    const project = requireProject(actor, input.id)
    const webhook = await webhooks.create(project, input)
    audit.record(ctx, { kind: 'webhook_add', subject: webhook.name, detail: project.title })
    return { webhook: presentWebhook(context, webhook), secret: webhook.secret }
  })

  serve(router, api.webhooks.update, async ({ actor, input, ctx }) => {
    const { project, webhook: before } = requireWebhook(actor, input)
    const webhook = await webhooks.change(before.id, input)
    audit.record(ctx, { kind: 'webhook_change', subject: webhook.name, detail: project.title })
    return { webhook: presentWebhook(context, webhook) }
  })

  serve(router, api.webhooks.remove, async ({ actor, input, ctx }) => {
    const { project, webhook } = requireWebhook(actor, input)
    await context.data.library.transact((tx) => webhooks.remove(tx, webhook.id))
    audit.record(ctx, { kind: 'webhook_remove', subject: webhook.name, detail: project.title })
    return {}
  })

  serve(router, api.webhooks.renewSecret, async ({ actor, input, ctx }) => {
    const { project, webhook } = requireWebhook(actor, input)
    const secret = await webhooks.renewSecret(webhook.id)
    audit.record(ctx, {
      kind: 'webhook_change',
      subject: webhook.name,
      detail: `${project.title}: new secret`,
    })
    return { secret }
  })

  serve(router, api.webhooks.test, async ({ actor, input }) => {
    const { project, webhook } = requireWebhook(actor, input)
    return { delivery: presentDelivery(await sender.test(webhook, makeHappening('test', project))) }
  })

  serve(router, api.webhooks.deliveries, ({ actor, input }) => ({
    deliveries: queue.list(requireWebhook(actor, input).webhook.id).map(presentDelivery),
  }))

  serve(router, api.webhooks.sendAgain, async ({ actor, input }) => {
    const { webhook } = requireWebhook(actor, input)
    const delivery = queue.find(webhook.id, input.deliveryId)
    if (!delivery) throw notFound('Delivery')
    return { delivery: presentDelivery(await sender.sendAgain(webhook, delivery)) }
  })
}

/**
 * Returns functions that require access to a project or webhook. Both throw `not_found` and
 * `forbidden`.
 */
function createGuards({ projects: { store: projects }, webhooks: { store } }: Deps) {
  const requireProject = (actor: Actor, id: string) =>
    projectPolicy.require(actor, 'webhooks', projects.find(id))
  const requireWebhook = (actor: Actor, { id, webhookId }: Address) => {
    const project = requireProject(actor, id)
    const webhook = store.find(webhookId)
    if (webhook?.projectId !== project.id) throw notFound('Webhook')
    return { project, webhook }
  }
  return { requireProject, requireWebhook }
}

/** Lists each field by name, so that address, token and secret are in no response. */
function presentWebhook(
  { webhooks: { queue } }: Rooms<'webhooks'>,
  webhook: WebhookRecord,
): Webhook {
  const { id, name, service, events, url, target, token, isOn, offReason, createdAt } = webhook

  const tries = queue.list(id).flatMap(({ lastTry }) => lastTry ?? [])
  const last = tries.sort((a, b) => b.at.localeCompare(a.at))[0]

  return {
    webhook_id: id,
    name,
    service,
    events: [...events],
    host: new URL(url).host,
    target,
    has_token: token !== null,
    is_on: isOn,
    off_reason: offReason ?? null,
    created_at: createdAt,
    waiting: queue.waiting(id).length,
    last_try: last ? { at: last.at, succeeded: last.error === null } : null,
  }
}

function presentDelivery({
  id,
  happening,
  state,
  createdAt,
  tries,
  nextTryAt,
  lastTry,
}: DeliveryRecord): WebhookDelivery {
  return {
    delivery_id: id,
    message_id: id,
    event: happening.kind,
    summary: summaryOf(happening),
    state,
    created_at: createdAt,
    tries,
    next_try_at: state === 'waiting' ? nextTryAt : null,
    last_try: lastTry && {
      at: lastTry.at,
      status: lastTry.status,
      error: lastTry.error,
      reply: lastTry.reply,
      took_ms: lastTry.tookMs,
    },
  }
}
