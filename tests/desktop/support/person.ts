import { createClient, type Client } from '../../../renderer/lib/api-client'
import { Browser } from '../../support/browser'

/** Somebody who uses the host over HTTP, with a session. */
export interface Person {
  client: Client
  browser: Browser
}

const password = 'a password for tests'

/** Registers an account and signs in. The first one of a host becomes the host account. */
export async function signedUp(origin: string, username: string): Promise<Person> {
  const browser = new Browser(origin)
  const client = createClient(origin, { fetch: browser.fetch })
  await client.accounts.register({ username, email: `${username}@example.com`, password })
  await client.accounts.login({ username, password })
  return { client, browser }
}

/** Signs an existing account in. */
export async function signedIn(origin: string, username: string): Promise<Person> {
  const browser = new Browser(origin)
  const client = createClient(origin, { fetch: browser.fetch })
  await client.accounts.login({ username, password })
  return { client, browser }
}
