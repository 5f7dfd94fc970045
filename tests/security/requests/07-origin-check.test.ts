import { describe, expect } from 'vitest'
import { aUser } from '../../support/factories'
import { PASSWORD } from '../../support/password'
import { RawClient } from '../../support/network/raw-client'
import { json, problem, replyOf } from '../../support/network/reply'
import { test as base, type TestServer } from '../../support/test-server'

/** Creates a project with a good session and these headers. `PORT` stands for our own port. */
async function changeFrom(server: TestServer, headers: Record<string, string>) {
  const { browser } = await server.signedIn(await aUser(server, 'alice'))
  const filled = Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', `${server.port}`)])
  const sent = { cookie: browser.cookie, ...(Object.fromEntries(filled) as Record<string, string>) }
  return replyOf(server.fetch('/api/projects', json('POST', { title: 'Rocket' }, sent)))
}

describe('a change with a session', () => {
  base.for<Record<string, string>>([
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: 'http://127.0.0.1:PORT' },
    { origin: 'http://127.0.0.1:PORT', 'sec-fetch-site': 'same-origin' },
  ])('is ours with %j', async (headers, { server }) => {
    expect(await changeFrom(server, headers)).toMatchObject({ status: 201 })
  })

  base.for<Record<string, string>>([
    { origin: '' },
    { origin: 'http://evil.example' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'http://127.0.0.1' },
    { origin: 'https://127.0.0.1:PORT' },
    { origin: 'http://localhost:PORT' },
    { origin: 'HTTP://127.0.0.1:PORT' },
    { origin: 'http://127.0.0.1:PORT/' },
    { origin: 'http://127.0.0.1:PORT.evil.example' },
    { origin: 'http://127.0.0.1.evil.example:PORT' },
    { origin: 'null' },
    { origin: 'file://' },
    { origin: 'chrome-extension://abcdef' },
    { origin: 'not an origin' },
    { origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
    { origin: 'http://127.0.0.1:PORT', 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '' },
  ])('is refused with %j', async (headers, { server }) => {
    expect(await changeFrom(server, headers)).toEqual(problem('foreign_origin'))
  })

  base('is refused before its body is read', async ({ server }) => {
    const client = await RawClient.connect(server.port)
    const headers = { Origin: 'http://evil.example', 'Content-Type': 'application/json', 'Content-Length': '1000' }

    expect((await client.head(server.port, 'POST /api/auth/login', headers).reply()).status).toBe(403)
    client.close()
  })
})

describe('without a session', () => {
  const register = (server: TestServer, headers: Record<string, string>) => {
    const account = { username: 'bob', email: 'bob@example.com', password: PASSWORD }
    return replyOf(server.fetch('/api/auth/register', json('POST', account, headers)))
  }

  base.for<Record<string, string>>([{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }])(
    'a program that is no browser need not say where it comes from: %j',
    async (headers, { server }) => {
      expect(await register(server, headers)).toMatchObject({ status: 201 })
    },
  )

  base.for<Record<string, string>>([{ origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])(
    'the page of another site is refused: %j',
    async (headers, { server }) => {
      expect(await register(server, headers)).toEqual(problem('foreign_origin'))
    },
  )
})

describe('from another site', () => {
  const foreign = { origin: 'http://evil.example' }

  base('signing in and registering are refused too', async ({ server }) => {
    await aUser(server, 'alice')

    for (const path of ['/api/auth/login', '/api/auth/register', '/api/auth/logout']) {
      expect(await replyOf(server.fetch(path, json('POST', {}, foreign)))).toEqual(problem('foreign_origin'))
    }
  })

  base('reading goes on; the browser keeps the answer from the page', async ({ server }) => {
    const response = await server.fetch('/api/projects', { headers: foreign })

    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, null])
  })

  base('an API key may change: no page can send one across sites', async ({ server }) => {
    const alice = await aUser(server, 'alice')

    const reply = replyOf(server.fetchAs(alice)('/api/projects', json('POST', { title: 'Rocket' }, foreign)))

    expect(await reply).toMatchObject({ status: 201 })
  })
})

describe('a server with a public URL', () => {
  const test = base.extend({ config: { publicUrl: 'https://builds.example' } })

  test('accepts changes from there, although the proxy uses http', async ({ server }) => {
    expect(await changeFrom(server, { origin: 'https://builds.example' })).toMatchObject({ status: 201 })
  })

  test.for(['http://builds.example', 'https://www.builds.example', 'https://builds.example:8443'])(
    'not from %s',
    async (origin, { server }) => {
      expect(await changeFrom(server, { origin })).toEqual(problem('foreign_origin'))
    },
  )
})
