import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { Browser } from '../../support/system/browser'
import { aUser } from '../../support/world/factories'
import { PASSWORD } from '../../support/world/password'
import { json, problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { DAY, MINUTE } from '../../support/world/test-clock'

const COOKIE = 'slipway.sid'
const signIn = (headers: Record<string, string> = {}) =>
  json('POST', { username: 'alice', password: PASSWORD }, headers)

const isSignedIn = async (server: TestServer, cookie: string) => {
  const { body } = await replyOf(server.fetch('/api/auth/check', { headers: { cookie } }))
  return (body as { authenticated: boolean }).authenticated
}

/** The values of a Cookie header by name. */
const valuesOf = (cookie: string): Record<string, string> =>
  Object.fromEntries(cookie.split('; ').map((pair) => pair.split('=') as [string, string]))

describe('the cookie', () => {
  test('is signed, for pages only, and not sent by other sites', async ({ server }) => {
    await aUser(server, 'alice')

    const cookies = (await server.fetch('/api/auth/login', signIn())).headers.getSetCookie()

    expect(cookies.map((line) => line.split('=')[0])).toEqual([COOKIE, `${COOKIE}.sig`])
    expect(valuesOf(cookies[0] ?? '')[COOKIE], '256 random bits').toMatch(/^[\w-]{43}$/)
    for (const line of cookies) {
      expect(line).toMatch(/; path=\/; expires=[^;]+; samesite=lax; httponly$/i)
    }
  })

  test('a cookie that the visitor has chosen is not taken over at sign-in', async ({ server }) => {
    await aUser(server, 'alice')
    const chosen = `${COOKIE}=${'x'.repeat(43)}; ${COOKIE}.sig=${'y'.repeat(43)}`

    const response = await server.fetch('/api/auth/login', signIn({ cookie: chosen }))

    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie().join()).not.toContain('x'.repeat(43))
  })

  test('a cookie opens nothing without a signature', async ({ server, signedIn: { browser } }) => {
    const { [COOKIE]: id = '', [`${COOKIE}.sig`]: sig } = valuesOf(browser.cookie)
    const signed = (value: string, signature = '') =>
      `${COOKIE}=${value}; ${COOKIE}.sig=${signature}`
    const forged = [
      `${COOKIE}=${id}`,
      signed(`${id.replace(/^./, 'A')}x`, sig),
      signed(id, 'a'.repeat(43)),
      signed(id),
    ]

    expect(await isSignedIn(server, signed(id, sig))).toBe(true)
    for (const cookie of forged) expect(await isSignedIn(server, cookie), cookie).toBe(false)
  })
})

describe('on disk', () => {
  test('a session id is nowhere to be found; the files are ours alone', async ({
    server,
    signedIn: { browser },
  }) => {
    await server.inside.library.settled()
    const id = valuesOf(browser.cookie)[COOKIE]!

    const names = (await readdir(server.dataDir)).filter((name) => /\.(log|json)$/.test(name))
    const texts = await Promise.all(
      names.map((name) => readFile(join(server.dataDir, name), 'utf8')),
    )

    expect(texts.join()).toContain('"sessions"')
    expect(texts.join()).not.toContain(id)
    for (const name of names)
      expect((await stat(join(server.dataDir, name))).mode & 0o077, name).toBe(0)
  })
})

describe('lifetime', () => {
  test('a session that is not used ends after 14 days', async ({
    server,
    clock,
    signedIn: { browser },
  }) => {
    clock.advance(14 * DAY - MINUTE)
    expect(await isSignedIn(server, browser.cookie)).toBe(true)
    clock.advance(14 * DAY)
    expect(await isSignedIn(server, browser.cookie)).toBe(false)
  })

  test('a session used every week ends 60 days after sign-in', async ({
    server,
    clock,
    signedIn: { browser },
  }) => {
    for (let day = 7; day < 60; day += 7) {
      clock.advance(7 * DAY)
      expect(await isSignedIn(server, browser.cookie), `day ${day}`).toBe(true)
    }
    clock.advance(4 * DAY)
    expect(await isSignedIn(server, browser.cookie)).toBe(false)
  })

  test('sessions that ended are swept out', async ({ server, clock }) => {
    await server.signedIn(await aUser(server, 'alice'))
    clock.advance(15 * DAY)

    await server.inside.sessions.sweep(clock.now())

    expect(server.inside.library.collection('sessions').size).toBe(0)
  })
})

describe('accounts.logout', () => {
  test('ends the session for good', async ({ server, signedIn: { browser } }) => {
    const { cookie } = browser

    expect(await replyOf(browser.fetch('/api/auth/logout', { method: 'POST' }))).toEqual({
      status: 200,
      body: { success: true },
    })
    expect(browser.cookie).toBe('')
    expect(await isSignedIn(server, cookie)).toBe(false)
    expect(server.inside.library.collection('sessions').size).toBe(0)
  })

  test('ends one session, not the others of the same person', async ({ server, alice }) => {
    const [here, there] = [await server.signedIn(alice), await server.signedIn(alice)]

    await here.client.accounts.logout({})

    expect(await isSignedIn(server, there.browser.cookie)).toBe(true)
  })

  test('is fine with a visitor, and makes no session', async ({ server }) => {
    const browser = new Browser(server.url)

    expect((await browser.fetch('/api/auth/logout', { method: 'POST' })).status).toBe(200)
    expect(browser.cookie).toBe('')
    expect(server.inside.library.collection('sessions').size).toBe(0)
  })
})

test('visitors leave no sessions behind', async ({ server }) => {
  for (const path of ['/api/auth/check', '/api/files/public', '/api/projects']) {
    expect((await server.fetch(path)).headers.getSetCookie()).toEqual([])
  }
  expect(
    await replyOf(server.fetch('/api/auth/login', json('POST', { username: 'a', password: 'b' }))),
  ).toEqual(problem('bad_credentials'))
  expect(server.inside.library.collection('sessions').size).toBe(0)
})
