import { hashOfToken } from '../../../server/access/link-token'
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

/** The settings of a mail server that nobody runs. */
export const NO_MAIL_SERVER = {
  mail_server: '127.0.0.1',
  mail_port: 9,
  mail_security: 'none',
  mail_from: 'builds@example.org',
} as const
