import { describe, expect } from 'vitest'
import { aUser } from '../../support/world/factories'
import { PASSWORD } from '../../support/world/password'
import { json, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'

const change = (fields: object = {}) =>
  json('POST', { current_password: PASSWORD, new_password: 'battery staple', ...fields })

describe('accounts.changePassword', () => {
  test('only the new password signs in afterwards', async ({ server }) => {
    const { browser } = await server.signedIn(await aUser(server, 'alice'))

    expect(await replyOf(browser.fetch('/api/auth/password', change()))).toEqual({
      status: 200,
      body: { success: true },
    })
    const signIn = (password: string) => server.fetch('/api/auth/login', json('POST', { username: 'alice', password }))
    expect((await signIn(PASSWORD)).status).toBe(401)
    expect((await signIn('battery staple')).status).toBe(200)
  })

  test('continues here under a new session, and ends all others', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    const [here, there] = [await server.signedIn(alice), await server.signedIn(alice)]
    const before = here.browser.cookie

    await here.browser.fetch('/api/auth/password', change())

    expect((await here.browser.fetch('/api/auth/me')).status).toBe(200)
    expect((await server.fetch('/api/auth/me', { headers: { cookie: before } })).status).toBe(401)
    expect((await there.browser.fetch('/api/auth/me')).status).toBe(401)
  })
})
