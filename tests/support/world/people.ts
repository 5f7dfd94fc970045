import { createClient } from '../network/client'
import { Browser } from '../system/browser'
import { aUser } from './factories'
import { PASSWORD } from './password'
import { RealClock } from './test-clock'
import { TestLog } from './test-log'
import { TestServer, type Person } from './test-server'

/**
 * Makes accounts in a data folder before a host opens it: signing in to them costs nothing. The
 * first is the host account.
 */
export async function addPeople(dataDir: string, usernames: readonly string[]): Promise<void> {
  const server = await TestServer.start(
    { dataDir, uiDir: dataDir },
    { clock: new RealClock(), log: new TestLog() },
  )
  for (const username of usernames)
    await aUser(server, username, { isHost: username === usernames[0] })
  await server.close()
}

/** Signs an existing account in. */
export async function signedIn(origin: string, username: string): Promise<Person> {
  const browser = new Browser(origin)
  const client = createClient(origin, { fetch: browser.fetch })
  await client.accounts.login({ username, password: PASSWORD })
  return { client, browser }
}
