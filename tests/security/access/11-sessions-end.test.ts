import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { describe, expect } from 'vitest'
import { Passwords } from '../../../server/features/accounts/passwords'
import { Browser } from '../../support/system/browser'
import { aUser } from '../../support/world/factories'
import { PASSWORD, PASSWORD_HASH } from '../../support/world/password'
import { json, problem, replyOf } from '../../support/network/reply'
import { mostAtOnce } from '../../support/system/scrypt-jobs'
import { slowUpload } from '../../support/network/slow-upload'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

type Person = Awaited<ReturnType<TestServer['signedIn']>>

/** The client of the account that looks after this host, at its window. */
const hostOf = async (server: TestServer) =>
  (await server.atWindow(await aUser(server, 'host', { isHost: true }))).client

const aNewPassword = { current_password: PASSWORD, new_password: 'battery staple' }

/** Everything that ends the sessions of a person. */
const endings: [
  string,
  (server: TestServer, alice: UserRecord, here: Person) => Promise<unknown>,
][] = [
  ['signing out', (_server, _alice, { client }) => client.accounts.logout({})],
  [
    'a change of password here',
    (_server, _alice, { client }) => client.accounts.changePassword(aNewPassword),
  ],
  [
    'a change of password elsewhere',
    async (server, alice) =>
      (await server.signedIn(alice)).client.accounts.changePassword(aNewPassword),
  ],
  [
    'a reset by the host',
    async (server, { id }) => (await hostOf(server)).people.resetPassword({ id }),
  ],
  [
    'disabling',
    async (server, { id }) => (await hostOf(server)).people.update({ id, disabled: true }),
  ],
  [
    'deleting the account',
    (_server, _alice, { client }) => client.accounts.remove({ current_password: PASSWORD }),
  ],
]

/** A call that the host has admitted, and whose body is still to come. */
function slowCall(server: TestServer, path: string, headers: Record<string, string>) {
  const call = request(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', expect: '100-continue', ...headers },
  })
  call.flushHeaders()

  const status = once(call, 'response').then(([reply]: IncomingMessage[]) => reply?.statusCode)
  return {
    isAdmitted: once(call, 'continue'),
    finish: (body: string) => call.end(body),
    status,
  }
}

const me = async (server: TestServer, cookie: string) =>
  (await server.fetch('/api/auth/me', { headers: { cookie } })).status

describe('a session ends at once and for good, even with a running upload, after', () => {
  test.for(endings)('%s', async ([, end], { server, alice }) => {
    const here = await server.signedIn(alice)
    const { cookie } = here.browser
    const slow = slowUpload(server, { cookie, origin: server.url })
    await expect.poll(() => server.inside.quota.held(alice.id)).toBeGreaterThan(0)
    expect(await me(server, cookie)).toBe(200)

    await end(server, alice, here)
    const during = await me(server, cookie)
    slow.finish()
    await slow.status

    expect([during, await me(server, cookie)]).toEqual([401, 401])
  })
})

test('a call whose body arrives after its session or key has ended changes nothing', async ({
  server,
  alice,
}) => {
  const here = await server.signedIn(alice)
  const { api_key, key } = await here.client.apiKeys.create({ name: 'CI' })
  const calls = [
    slowCall(server, '/api/auth/api-keys', { cookie: here.browser.cookie, origin: server.url }),
    slowCall(server, '/api/projects', { 'x-api-key': api_key }),
  ]
  await Promise.all(calls.map(({ isAdmitted }) => isAdmitted))

  await here.client.apiKeys.revoke({ id: key.key_id })
  await server.inside.sessions.endAll(alice.id)
  for (const { finish } of calls) finish('{"name":"thief","title":"Thief"}')

  expect(await Promise.all(calls.map(({ status }) => status))).toEqual([401, 401])
})

describe('the id is another one after', () => {
  test.for<[string, (here: Person) => Promise<unknown>]>([
    [
      'signing in',
      ({ browser }) =>
        browser.fetch('/api/auth/login', json('POST', { username: 'alice', password: PASSWORD })),
    ],
    ['a change of password', ({ client }) => client.accounts.changePassword(aNewPassword)],
  ])('%s, and the one before opens nothing', async ([, change], { server }) => {
    const here = await server.signedIn(await aUser(server, 'alice'))
    const before = here.browser.cookie

    await change(here)

    expect(here.browser.cookie).not.toBe(before)
    expect([await me(server, before), await me(server, here.browser.cookie)]).toEqual([401, 200])
  })
})

test('who signs in as another person with the cookie of the one before gets a session of their own', async ({
  server,
}) => {
  const { browser } = await server.signedIn(await aUser(server, 'alice'))
  const before = browser.cookie
  await aUser(server, 'bob')
  await browser.fetch('/api/auth/login', json('POST', { username: 'bob', password: PASSWORD }))

  expect(await replyOf(browser.fetch('/api/auth/me'))).toMatchObject({
    body: { user: { username: 'bob' } },
  })
  expect(await me(server, before)).toBe(401)
})

describe('while a password is being checked', () => {
  /**
   * A user whose password takes as long to check as real ones do; `change` changes it as a reset
   * does.
   */
  const slowAlice = async ({ inside }: TestServer) => {
    const passwordHash = await new Passwords().hash(PASSWORD, 'tests')
    const { id } = await inside.users.add({
      username: 'alice',
      email: 'alice@example.com',
      passwordHash,
    })
    const change = async () => {
      await inside.users.setPassword(id, PASSWORD_HASH)
      await inside.sessions.endAll(id)
    }
    return { id, change }
  }
  const signIn = (server: TestServer) =>
    server.fetch('/api/auth/login', json('POST', { username: 'alice', password: PASSWORD }))

  test('it is changed: the one before opens no session any more', async ({ server }) => {
    const { change } = await slowAlice(server)
    const hashing = mostAtOnce()
    const signingIn = signIn(server)
    await expect.poll(hashing, { interval: 1 }).toBe(1)

    await change()
    const reply = await signingIn

    const cookie = reply.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    expect([reply.status, await me(server, cookie)]).toEqual([401, 401])
  })

  test('it is changed elsewhere: a change by the one before is refused', async ({ server }) => {
    const { id, change } = await slowAlice(server)
    const browser = new Browser(server.url)
    await browser.fetch('/api/auth/login', json('POST', { username: 'alice', password: PASSWORD }))
    const hashing = mostAtOnce()
    const changing = browser.fetch('/api/auth/password', json('POST', aNewPassword))
    await expect.poll(hashing, { interval: 1 }).toBe(1)

    await change()

    expect(await replyOf(changing)).toEqual(problem('bad_credentials', 'current_password'))
    expect(server.inside.users.find(id)?.passwordHash).toBe(PASSWORD_HASH)
  })
})
