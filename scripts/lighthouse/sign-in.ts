import type { SeededHost } from '../seed/seeded-host'

/** Signs in a person of a seeded host, who registers before if she is new. Returns the cookie. */
export async function signIn(
  { url, password, usernames }: SeededHost,
  username: string,
): Promise<string> {
  const post = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  if (!usernames.includes(username))
    await post('/api/auth/register', { username, email: `${username}@example.com`, password })

  const response = await post('/api/auth/login', { username, password })
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
  if (!response.ok || cookies.length === 0)
    throw new Error(`${username} could not sign in: ${response.status}`)

  return cookies.join('; ')
}
