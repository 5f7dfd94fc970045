import { describe, expect } from 'vitest'
import { aUser } from '../../support/world/factories'
import { PASSWORD } from '../../support/world/password'
import { RawClient } from '../../support/network/raw-client'
import { json, problem, replyOf } from '../../support/network/reply'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/** Creates projects with a good session and these headers. `PORT` stands for our own port. */
async function changesFrom(server: TestServer, each: Record<string, string>[], expected: unknown) {
  const { browser } = await server.signedIn(await aUser(server, 'alice'))
  for (const headers of each) {
    const filled = Object.entries(headers).map(([name, value]) => [
      name,
      value.replace('PORT', `${server.port}`),
    ])
    const sent = {
      cookie: browser.cookie,
      ...(Object.fromEntries(filled) as Record<string, string>),
    }
    const reply = await replyOf(
      server.fetch('/api/projects', json('POST', { title: 'Rocket' }, sent)),
    )
    expect.soft({ headers, reply }).toMatchObject({ headers, reply: expected })
  }
}

const OURS: Record<string, string>[] = [
  {},
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
  { origin: 'http://127.0.0.1:PORT' },
  { origin: 'http://127.0.0.1:PORT', 'sec-fetch-site': 'same-origin' },
]
const FOREIGN: Record<string, string>[] = [
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
]

describe('a change with a session', () => {
  base('is ours from our own origin, and from clients that name none', ({ server }) =>
    changesFrom(server, OURS, { status: 201 }),
  )

  base('is refused from every other origin', ({ server }) =>
    changesFrom(server, FOREIGN, problem('foreign_origin')),
  )

  base('is refused before its body is read', async ({ server }) => {
    const client = await RawClient.connect(server.port)
    const headers = {
      Origin: 'http://evil.example',
      'Content-Type': 'application/json',
      'Content-Length': '1000',
    }

    expect((await client.head(server.port, 'POST /api/auth/login', headers).reply()).status).toBe(
      403,
    )
    client.close()
  })
})

describe('without a session', () => {
  const register = (server: TestServer, headers: Record<string, string>) => {
    const account = { username: 'bob', email: 'bob@example.com', password: PASSWORD }
    return replyOf(server.fetch('/api/auth/register', json('POST', account, headers)))
  }

  base('a program that is no browser need not say where it comes from', async ({ server }) => {
    expect(await register(server, {})).toMatchObject({ status: 201 })
  })

  base('the page of another site is refused', async ({ server }) => {
    expect(await register(server, { origin: 'null' })).toEqual(problem('foreign_origin'))
    expect(await register(server, { 'sec-fetch-site': 'cross-site' })).toEqual(
      problem('foreign_origin'),
    )
  })
})

describe('from another site', () => {
  const foreign = { origin: 'http://evil.example' }

  base('signing in and registering are refused too', async ({ server }) => {
    await aUser(server, 'alice')

    for (const path of ['/api/auth/login', '/api/auth/register', '/api/auth/logout']) {
      expect(await replyOf(server.fetch(path, json('POST', {}, foreign)))).toEqual(
        problem('foreign_origin'),
      )
    }
  })

  base('reading goes on; the browser keeps the answer from the page', async ({ server }) => {
    const response = await server.fetch('/api/projects', { headers: foreign })

    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
      200,
      null,
    ])
  })

  base('an API key may change: no page can send one across sites', async ({ server, alice }) => {
    const reply = replyOf(
      server.fetchAs(alice)('/api/projects', json('POST', { title: 'Rocket' }, foreign)),
    )

    expect(await reply).toMatchObject({ status: 201 })
  })
})

describe('a server with a public URL', () => {
  const test = base.extend({ config: { publicUrl: 'https://builds.example' } })

  test('accepts changes from there, although the proxy uses http', ({ server }) =>
    changesFrom(server, [{ origin: 'https://builds.example' }], { status: 201 }))

  test('accepts none from addresses like it', ({ server }) => {
    const others = [
      'http://builds.example',
      'https://www.builds.example',
      'https://builds.example:8443',
    ]
    return changesFrom(
      server,
      others.map((origin) => ({ origin })),
      problem('foreign_origin'),
    )
  })
})
