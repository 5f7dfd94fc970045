import { onTestFinished } from 'vitest'
import type { Client } from '../../renderer/lib/client/api-client'
import { createClient } from './network/client'
import { anOpenIdProvider, CLIENT, visitProvider, type OpenIdProvider } from './openid-provider'
import { Browser } from './system/browser'
import { TestClock } from './world/test-clock'
import type { TestServer } from './world/test-server'

/** A host at a name, with a provider that its host account has set up, until the test ends. */
export async function withProvider(
  server: TestServer,
  settings: Record<string, unknown> = {},
): Promise<{ named: TestServer; provider: OpenIdProvider }> {
  const url = `http://localhost:${server.port}`
  const provider = await anOpenIdProvider({
    redirect: `${url}/login/sso`,
    logout: `${url}/api/auth/sso/logout`,
  })

  onTestFinished(provider.stop)

  const { inside } = server
  await inside.settings.update({
    public_url: url,
    sso_issuer: provider.url,
    sso_client_id: CLIENT.id,
    sso_name: 'Example Inc',
    ...settings,
  })
  inside.secrets.ssoClientSecret = CLIENT.secret
  return { named: server.through(url, fetch), provider }
}

/** A browser of a stranger at the host. */
export function aStranger({ url }: Pick<TestServer, 'url'>): { client: Client; browser: Browser } {
  const browser = new Browser(url)
  return { browser, client: createClient(url, { fetch: browser.fetch }) }
}

/** Signs in by the provider, and returns the reply of the host. */
export async function signInBy(
  provider: OpenIdProvider,
  { client }: { client: Client },
  input: Parameters<Client['singleSignOn']['begin']>[0] = {},
) {
  const { url } = await client.singleSignOn.begin(input)
  const { search: query } = await visitProvider(provider, url)
  return client.singleSignOn.finish({ query })
}

/** Links the account of a person, who was proved just now. */
export async function linkBy(provider: OpenIdProvider, { client }: { client: Client }) {
  const { url } = await client.singleSignOn.link({})
  const { search: query } = await visitProvider(provider, url)
  return client.singleSignOn.finish({ query })
}

/** A clock that begins now, because providers sign by the time of this computer. */
export function aPresentClock(): TestClock {
  const clock = new TestClock()
  clock.setClock(Date.now() - clock.now().getTime())
  return clock
}
