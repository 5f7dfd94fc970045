import type { DeliveryRecord, WebhookRecord } from '../../../server/data/records/webhook-records'
import type { TestServer } from '../world/test-server'

type Ids = Readonly<Record<'projectId' | 'ownerId' | 'webhookId' | 'deliveryId', string>>

/** A webhook with a message that failed. Its address is private, so that nothing is ever sent. */
export async function aWebhook(
  { clock, inside: { library } }: TestServer,
  ids: Ids,
): Promise<void> {
  const { projectId, ownerId, webhookId, deliveryId } = ids
  const createdAt = clock.now().toISOString()
  const base = { projectId, ownerId, createdAt }
  const webhook: WebhookRecord = {
    ...{
      ...base,
      id: webhookId,
      name: 'CI',
      service: 'json',
      events: ['release.published'],
      target: null,
      token: null,
    },
    ...{
      url: 'http://127.0.0.1:9',
      secret: 'whsec_c2xpcHdheQ==',
      isOn: true,
      failures: 0,
      restsUntil: null,
    },
  }
  const happening = { kind: 'test' as const, projectId, slug: 'lantern', title: 'Lantern' }
  const delivery: DeliveryRecord = {
    ...{ ...base, id: deliveryId, webhookId, number: 1, happening },
    ...{ state: 'failed', tries: 1, nextTryAt: createdAt, lastTry: null },
  }
  await library.transact((tx) => {
    tx.put(library.collection('webhooks'), webhookId, webhook)
    tx.put(library.collection('webhookDeliveries'), deliveryId, delivery)
  })
}
