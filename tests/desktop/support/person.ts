import { createClient, type Client } from '../../../renderer/lib/client/api-client'
import { startServer } from '../../../server/index'
import { realSources } from '../../../server/core/clock'
import { Browser } from '../../support/system/browser'
import { PASSWORD, PASSWORD_HASH } from '../../support/password'
import { TestLog } from '../../support/test-log'

/** A user of the host over HTTP, with a session. */
export interface Person {
  client: Client
  browser: Browser
}

/** Makes accounts in a data folder before a host opens it: signing in to them costs nothing. The first is the host account. */
export async function addPeople(dataDir: string, usernames: readonly string[]): Promise<void> {
  const config = { dataDir, uiDir: dataDir, host: '127.0.0.1', port: 0, version: '1.2.3', rateLimits: false }
  const server = await startServer(config, { sources: realSources, log: new TestLog() })
  for (const username of usernames) {
    const account = { username, email: `${username}@example.com`, passwordHash: PASSWORD_HASH }
    await server.context.accounts.users.add(account, () => ({ isHost: username === usernames[0] }))
  }
  await server.close()
}

/** Signs an existing account in. */
export async function signedIn(origin: string, username: string): Promise<Person> {
  const browser = new Browser(origin)
  const client = createClient(origin, { fetch: browser.fetch })
  await client.accounts.login({ username, password: PASSWORD })
  return { client, browser }
}
