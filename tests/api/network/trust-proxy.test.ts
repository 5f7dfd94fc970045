import { expect } from 'vitest'
import { RawClient } from '../../support/network/raw-client'
import { aUser } from '../../support/world/factories'
import { PASSWORD } from '../../support/world/password'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/** The host's answer to a proxy on loopback, with these headers. */
async function reply(server: TestServer, headers: Record<string, string>, line = 'GET /api/host') {
  const client = await RawClient.connect(server.port)
  const { status, headers: sent, body } = await client.head(server.port, line, headers).reply()
  client.close()
  const { host } = JSON.parse(body) as { host?: { share_url: string } }
  return { status, headers: sent, share: host?.share_url }
}

const forwarded = {
  'X-Forwarded-For': '203.0.113.7',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'builds.example',
}

base('without a trusted proxy nobody says who they are', async ({ server }) => {
  expect((await reply(server, forwarded)).share).toBe(server.url)
  expect((await reply(server, { ...forwarded, Host: 'builds.example' })).status).toBe(421)
})

const test = base.extend({ config: { trustProxy: ['127.0.0.1', '10.0.0.0/8'] } })

test('links carry the name and the scheme by which the client came', async ({ server }) => {
  expect((await reply(server, forwarded)).share).toBe('https://builds.example')
  expect((await reply(server, { ...forwarded, 'X-Forwarded-Host': 'x.example:8443' })).share).toBe(
    'https://x.example:8443',
  )
  expect(
    (await reply(server, { Host: 'builds.example', 'X-Forwarded-For': '203.0.113.7' })).share,
  ).toBe('http://builds.example')
})

test('a name that is none is refused', async ({ server }) => {
  for (const name of [
    'bad host',
    'a/b',
    'evil.example/@',
    '"',
    'x:70000',
    'a..b:99999',
    '[:::::]:80',
    '1.2.3.4.5:x',
  ])
    expect((await reply(server, { ...forwarded, 'X-Forwarded-Host': name })).status, name).toBe(421)
})

const limited = test.extend({
  config: { trustProxy: ['127.0.0.1', '10.0.0.0/8'], rateLimits: true },
})

limited(
  'each client has limits of its own; what a client wrote itself counts for nothing',
  async ({ server }) => {
    const left = async (chain: string) =>
      Number(
        (await reply(server, { ...forwarded, 'X-Forwarded-For': chain })).headers[
          'ratelimit-remaining'
        ],
      )

    expect(await left('203.0.113.7')).toBe(999)
    expect(await left('203.0.113.8')).toBe(999)
    expect(await left('203.0.113.7, 10.1.2.3')).toBe(998)
    expect(await left('198.51.100.1, 203.0.113.7, 10.1.2.3')).toBe(997)
    expect(await left('garbage, 203.0.113.7')).toBe(996)
  },
)

test('a sign-in over HTTPS at the proxy sets a Secure cookie', async ({ server }) => {
  const { username } = await aUser(server, 'alice')
  const cookieOf = async (headers: Record<string, string>, url = server.url) => {
    const body = JSON.stringify({ username, password: PASSWORD })
    const sent = { ...headers, 'content-type': 'application/json' }
    const response = await fetch(`${url}/api/auth/login`, { method: 'POST', headers: sent, body })
    return response.headers.get('set-cookie')
  }

  expect(await cookieOf(forwarded)).toMatch(/; secure; httponly/i)
  expect(await cookieOf({ ...forwarded, 'X-Forwarded-Proto': 'http' })).not.toMatch(/secure/i)

  // By the public URL, too, where nothing says that the proxy is trusted.
  const name = `localhost:${server.port}`
  await server.inside.settings.update({ public_url: `https://${name}` })
  expect(await cookieOf({}, `http://${name}`)).toMatch(/; secure; httponly/i)
  expect(await cookieOf({})).not.toMatch(/secure/i)
})

test('a page by the proxy may change things; another site may not', async ({ server, alice }) => {
  const login = (origin: string) =>
    server.fetch('/api/auth/login', {
      method: 'POST',
      headers: { ...forwarded, origin, 'content-type': 'application/json' },
      body: JSON.stringify({ username: alice.username, password: 'wrong password' }),
    })

  expect((await login('https://builds.example')).status).toBe(401)
  expect((await login('https://evil.example')).status).toBe(403)
})
