import { webhookFieldsSchema, type Webhook, type WebhookEvent } from '../../../server/contract'
import { useApiForm } from '../../lib/forms/use-api-form'
import { services, type Service } from './texts'
import { useSaveWebhook } from './use-webhooks'

interface Values {
  service: Service
  name: string
  /** Empty: as it was. */
  url: string
  target: string
  access_token: string
  events: WebhookEvent[]
  is_on: boolean
}

interface WebhookFormOptions {
  projectId: string
  /** Undefined: a new webhook. */
  saved: Webhook | undefined
  /** `secret`: of a webhook that signs. */
  onSaved: (secret: string | null) => void
}

export function useWebhookForm({ projectId, saved, onSaved }: WebhookFormOptions) {
  const { create, change } = useSaveWebhook(projectId)

  return useApiForm({
    saved: toFormValues(saved),
    schema: webhookFieldsSchema,
    toInput: toFields,
    findMistakes: ({ service, url }) =>
      !saved && services[service].address !== undefined && url.trim() === ''
        ? { url: 'Enter the address' }
        : {},
    send: async ({ service, ...fields }, { is_on }) => {
      if (!saved) return onSaved((await create({ service, ...fields })).secret)
      await change({ webhookId: saved.webhook_id, ...fields, is_on })
      onSaved(null)
    },
    failed: saved ? 'Failed to change webhook' : 'Failed to add webhook',
  })
}

function toFormValues(saved: Webhook | undefined): Values {
  const { service = 'discord', name = services.discord.label, target = null } = saved ?? {}
  const { events = ['release.published' as const], is_on = true } = saved ?? {}

  return {
    service,
    name,
    url: '',
    target: target ?? '',
    access_token: '',
    events: [...events],
    is_on,
  }
}

function toFields({ service, name, url, target, access_token, events }: Values) {
  const kind = services[service]
  return {
    service,
    name,
    events,
    ...(kind.address !== undefined && url.trim() !== '' && { url }),
    ...(kind.target && { target }),
    ...(kind.token && access_token !== '' && { access_token }),
  }
}
