import { hashOfToken } from '../../../server/access/link-token'
import { SUBSCRIBERS_MAX } from '../../../server/contract'
import { sealText } from '../../../server/access/sealed-text'
import type { SubscriberRecord } from '../../../server/data/records/notice-records'
import type { TestServer } from '../world/test-server'

/** A mail address that waits for its confirmation, by the link with this token. */
export async function aSubscriber(
  { clock, inside: { library, secrets } }: TestServer,
  { token, ...ids }: { token: string; projectId: string; testerId: string },
): Promise<void> {
  const id = clock.newId()
  const { sessionKeys } = secrets
  const subscriber: SubscriberRecord = {
    ...{ id, projectId: ids.projectId, target: { kind: 'tester', id: ids.testerId } },
    way: { kind: 'mail', address: `${id}@example.org` },
    tokenHash: hashOfToken(token),
    sealedToken: sealText(sessionKeys, token),
    sealedPage: sealText(sessionKeys, '/t/none'),
    askedAt: clock.now().toISOString(),
    refusals: 0,
  }
  await library.transact((tx) => tx.put(library.collection('subscribers'), id, subscriber))
}

/** As many confirmed ones as a project may have, all like the one that there is. */
export async function allSubscribers({ inside: { library } }: TestServer): Promise<void> {
  const subscribers = library.collection('subscribers')
  const [one] = subscribers.values()
  if (!one) throw new Error('There is no subscriber')
  await library.transact((tx) => {
    for (let number = 0; number < SUBSCRIBERS_MAX; number++) {
      const id = `subscriber-${number}`
      const way = { kind: 'mail', address: `${id}@example.org` } as const
      const own = { id, way, tokenHash: hashOfToken(id), confirmedAt: one.askedAt }
      tx.put(subscribers, id, { ...one, ...own })
    }
  })
}

/** The settings of a mail server that nobody runs. */
export const NO_MAIL_SERVER = {
  mail_server: '127.0.0.1',
  mail_port: 9,
  mail_security: 'none',
  mail_from: 'builds@example.org',
} as const
