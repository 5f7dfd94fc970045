import { createClient, type Client } from '../../renderer/lib/client/api-client'

export const PASSWORD = 'slipway-dev'

/**
 * Registers a person and returns their signed-in client. `setup`: the token that makes the host
 * account.
 */
export async function join(url: string, username: string, setup?: string): Promise<Client> {
  const client = createClient(url, { fetch: fetchAsPage(new URL(url).origin) })
  const account = { username, email: `${username}@example.com`, password: PASSWORD }
  await client.accounts.register({ ...account, ...(setup === undefined ? {} : { setup }) })
  await client.accounts.login({ username, password: PASSWORD })
  return client
}

function fetchAsPage(origin: string): typeof fetch {
  const jar = new Map<string, string>()

  return async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('origin', origin)
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))

    const response = await fetch(input, { ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (name !== undefined && value !== undefined) jar.set(name, value)
    }
    return response
  }
}
