import type { Webhook, WebhookDelivery } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { ASK_EVERY_MS, useLoad } from '../../lib/client/use-load'
import { confirm } from '../../ui/dialog/confirm'
import { notifyError } from '../../ui/feedback/notify'

type Fields = Omit<Parameters<Client['webhooks']['create']>[0], 'id'>
type Change = Omit<Parameters<Client['webhooks']['update']>[0], 'id'>

export const useWebhooks = (projectId: string) =>
  useLoad(
    queryKeys.projects.webhooks(projectId),
    async (client, signal) => (await client.webhooks.list({ id: projectId }, signal)).webhooks,
    { refetchInterval: ASK_EVERY_MS },
  )

export const useDeliveries = (projectId: string, webhookId: string) =>
  useLoad(
    [...queryKeys.projects.webhooks(projectId), webhookId],
    async (client, signal) =>
      (await client.webhooks.deliveries({ id: projectId, webhookId }, signal)).deliveries,
    { refetchInterval: ASK_EVERY_MS },
  )

export function useSaveWebhook(projectId: string) {
  const refresh = [queryKeys.projects.webhooks(projectId)]
  const creating = useCall(
    (client, fields: Fields) => client.webhooks.create({ id: projectId, ...fields }),
    { refresh },
  )

  const changing = useCall(
    (client, change: Change) => client.webhooks.update({ id: projectId, ...change }),
    { done: 'Webhook changed', refresh },
  )

  return { create: creating.mutateAsync, change: changing.mutateAsync }
}

export const useRemoveWebhook = (projectId: string) =>
  useCall(
    (client, { webhook_id: webhookId }: Webhook) =>
      client.webhooks.remove({ id: projectId, webhookId }),
    {
      ask: ({ name }) =>
        confirm({
          title: `Remove ${name}`,
          message: 'It gets no more messages. What waits for it is dropped.',
          confirmLabel: 'Remove',
          danger: true,
        }),
      done: 'Webhook removed',
      failed: 'Failed to remove webhook',
      refresh: [queryKeys.projects.webhooks(projectId)],
    },
  ).mutate

/** Says how a message that was just sent arrived. */
const tellOutcome = {
  after: (_cache: unknown, { delivery: { last_try } }: { delivery: WebhookDelivery }) => {
    if (last_try && last_try.error !== null)
      notifyError(`The message did not arrive. ${last_try.error}`)
  },
  done: ({ delivery: { last_try } }: { delivery: WebhookDelivery }) =>
    last_try?.error === null ? 'The message arrived' : undefined,
  failed: 'Failed to send the message',
}

export const useTestWebhook = (projectId: string) =>
  useCall(
    (client, { webhook_id: webhookId }: Webhook) =>
      client.webhooks.test({ id: projectId, webhookId }),
    { ...tellOutcome, refresh: [queryKeys.projects.webhooks(projectId)] },
  )

export const useSendAgain = (projectId: string, webhookId: string) =>
  useCall(
    (client, deliveryId: string) =>
      client.webhooks.sendAgain({ id: projectId, webhookId, deliveryId }),
    { ...tellOutcome, refresh: [queryKeys.projects.webhooks(projectId)] },
  )

export const useRenewSecret = (projectId: string, webhookId: string) =>
  useCall((client) => client.webhooks.renewSecret({ id: projectId, webhookId }), {
    ask: () =>
      confirm({
        title: 'Make a new secret',
        message: 'For a day, messages have signatures by the old and the new secret.',
        confirmLabel: 'Make new secret',
      }),
    failed: 'Failed to make a new secret',
  })
