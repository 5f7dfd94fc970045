import { createClient, type Client } from '../../renderer/lib/client/api-client'

/** Every made-up person signs in with it. Fit for a world of play only. */
export const PASSWORD = 'slipway-dev'

/** Registers a person and answers a client that is signed in as them. `setup`: the token that makes the host account. */
export async function join(url: string, username: string, setup?: string): Promise<Client> {
  const client = createClient(url, { fetch: fetchAsPage(new URL(url).origin) })
  const account = { username, email: `${username}@example.com`, password: PASSWORD }
  await client.accounts.register({ ...account, ...(setup === undefined ? {} : { setup }) })
  await client.accounts.login({ username, password: PASSWORD })
  return client
}

/** A `fetch` as a page of ours has it: it keeps cookies from one call to the next, and says where it comes from. */
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
