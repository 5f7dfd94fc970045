import { expect, test } from 'vitest'
import type { DeliveryRecord } from '../../../../server/data/records/webhook-records'
import { DeliveryQueue } from '../../../../server/features/webhooks/delivery-queue'
import { collectionAs, openLibrary } from '../../../support/data/temp-library'
import { tempDir } from '../../../support/system/temp-dir'
import { TestClock } from '../../../support/world/test-clock'

test('a look at the queue visits only webhooks with waiting messages', async () => {
  const library = await openLibrary(await tempDir())
  const queue = new DeliveryQueue(library, new TestClock())
  const deliveries = collectionAs<Partial<DeliveryRecord>>(library, 'webhookDeliveries')
  const put = (webhookId: string, state: DeliveryRecord['state']) =>
    library.transact((tx) =>
      tx.put(deliveries, webhookId, { id: webhookId, webhookId, state, nextTryAt: '', number: 1 }),
    )

  for (const webhookId of ['busy', 'done']) await put(webhookId, 'waiting')
  await put('done', 'delivered')
  await put('failed', 'failed')
  expect([...queue.webhookIds()]).toEqual(['busy'])
})
