import { describe, expect } from 'vitest'
import { aFile, aUser } from '../../support/world/factories'
import { opened } from '../../support/network/http-get'
import { PASSWORD } from '../../support/world/password'
import { json, problem, replyOf } from '../../support/network/reply'
import { crowd } from '../../support/refusals/refusals'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const limits = {
  failed_sign_ins_per_account: 2,
  failed_sign_ins_per_account_everywhere: 5,
  failed_sign_ins_per_address: 3,
  registrations_per_hour: 3,
  transfers_per_address: 2,
}
/** A host behind a proxy that forwards each client's address. */
const test = base.extend({
  config: { rateLimits: true, trustProxy: ['127.0.0.1'] },
  settings: limits,
})
const thrifty = test.extend({ settings: { requests_per_hour: 3 } })

const from = (address: string) => ({ 'x-forwarded-for': address })
/** Addresses of one IPv6 site, and of as many sites of one customer. */
const device = (n: number) => `2001:db8:1:2::${n}`
const site = (n: number) => `2001:db8:1:${n}::1`

async function statuses(times: number, ask: (n: number) => Promise<Response>): Promise<number[]> {
  const all: number[] = []
  for (let n = 1; n <= times; n++) all.push((await ask(n)).status)
  return all
}

const signIn = (server: TestServer, address: string, password: string, username = 'alice') =>
  server.fetch('/api/auth/login', json('POST', { username, password }, from(address)))

const register = (
  server: TestServer,
  address: string,
  username: string,
  email = `${username}@example.com`,
) =>
  server.fetch(
    '/api/auth/register',
    json('POST', { username, email, password: PASSWORD }, from(address)),
  )

describe('all addresses of one IPv6 site have one limit together', () => {
  thrifty('API requests', async ({ server }) => {
    const ask = (n: number) => server.fetch('/api/projects', { headers: from(device(n)) })

    expect(await statuses(4, ask)).toEqual([200, 200, 200, 429])
    expect((await server.fetch('/api/projects', { headers: from(site(9)) })).status).toBe(200)
  })

  test('wrong passwords for one account', async ({ server }) => {
    await aUser(server, 'alice')

    expect(await statuses(3, (n) => signIn(server, device(n), 'wrong'))).toEqual([401, 401, 429])
    expect((await signIn(server, site(9), PASSWORD)).status).toBe(200)
  })

  test('wrong API keys', async ({ server }) => {
    const ask = (n: number) =>
      server.fetch('/api/files/my-files', {
        headers: { ...from(device(n)), 'x-api-key': 'apk_wrong' },
      })

    expect(await statuses(4, ask)).toEqual([401, 401, 401, 429])
  })

  test('transfers at once', async ({ server }) => {
    const bytes = new Uint8Array(12_000_000)
    const file = await aFile(server, await aUser(server, 'alice'), { bytes, is_public: true })
    const path = `/api/files/${file.file_id}/download`
    const running = [
      await opened(server, path, from(device(1))),
      await opened(server, path, from(device(2))),
    ]

    expect(await replyOf(server.fetch(path, { headers: from(device(3)) }))).toEqual(
      problem('too_many_requests'),
    )
    const elsewhere = await opened(server, path, from(site(9)))
    expect(elsewhere.statusCode).toBe(200)
    for (const response of [...running, elsewhere]) response.destroy()
  })
})

test('all sites of one customer have one limit of registrations together', async ({ server }) => {
  expect(await statuses(4, (n) => register(server, site(n), `person${n}`))).toEqual([
    201, 201, 201, 429,
  ])
  expect((await register(server, '2001:db8:2::1', 'person9')).status).toBe(201)
})

thrifty(
  'an IPv4 address has one limit, also where a proxy writes it as IPv6',
  async ({ server }) => {
    const written = ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107', '203.0.113.7']
    const ask = (n: number) =>
      server.fetch('/api/projects', { headers: from(written[n - 1] ?? '') })

    expect(await statuses(4, ask)).toEqual([200, 200, 200, 429])
  },
)

describe('an account that is guessed at from many networks', () => {
  test('is not locked: the right password gets in', async ({ server }) => {
    await aUser(server, 'alice')
    expect(await statuses(5, (n) => signIn(server, site(n), 'wrong'))).toEqual([
      401, 401, 401, 401, 401,
    ])

    expect((await signIn(server, site(6), 'wrong')).status).toBe(401)
    expect((await signIn(server, site(7), PASSWORD)).status).toBe(200)
  })
})

describe('a client that probes for accounts by registering', () => {
  test.for<[string, (n: number) => { username: string; email: string }]>([
    ['username', (n) => ({ username: 'alice', email: `person${n}@example.com` })],
    ['email address', (n) => ({ username: `person${n}`, email: 'alice@example.com' })],
  ])('is slowed down for every %s that is taken', async ([, ask], { server }) => {
    await aUser(server, 'alice')
    const probe = (n: number) => register(server, device(n), ask(n).username, ask(n).email)

    expect(await statuses(5, probe)).toEqual([409, 409, 409, 429, 429])
  })

  test('learns first that registration is closed', async ({ server }) => {
    await aUser(server, 'alice')
    await server.inside.settings.update({ registration_open: false })

    expect(await statuses(5, (n) => register(server, device(n), 'alice'))).toEqual([
      403, 403, 403, 403, 403,
    ])
  })
})

/** Asks until there is no room: another one may just have left. */
async function refusedFor(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await ask()
    if (response.status === 429) return response
    await response.arrayBuffer()
  }
}

describe('sign-ins at once', () => {
  test('from one network find no room to wait, and those from another do', async ({ server }) => {
    await aUser(server, 'alice')
    const end = crowd(server, 6, () => '203.0.113.7')
    try {
      const refused = await refusedFor(() => signIn(server, '203.0.113.7', PASSWORD))
      expect(refused.headers.get('retry-after')).toBe('5')
      expect(await replyOf(refused)).toEqual(problem('too_many_requests'))

      expect((await signIn(server, '203.0.113.8', PASSWORD)).status).toBe(200)
    } finally {
      end()
    }
  })

  test('sign-ins that found no room are not counted as failed', async ({ server }) => {
    await aUser(server, 'alice')
    const end = crowd(server, 6, () => '203.0.113.7')
    for (let time = 0; time < 4; time++)
      await refusedFor(() => signIn(server, '203.0.113.7', PASSWORD))
    end()

    await expect.poll(async () => (await signIn(server, '203.0.113.7', PASSWORD)).status).toBe(200)
  })
})
