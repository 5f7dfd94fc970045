import { describe, expect } from 'vitest'
import { aUser } from '../../support/factories'
import { PASSWORD } from '../../support/password'
import { json, problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/test-server'

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

  test('asks for the current password', async ({ server }) => {
    const { browser } = await server.signedIn(await aUser(server, 'alice'))

    const reply = await replyOf(browser.fetch('/api/auth/password', change({ current_password: 'wrong' })))

    expect(reply).toEqual(problem('bad_credentials', 'current_password'))
    expect((await browser.fetch('/api/auth/me')).status).toBe(200)
  })

  test.for([
    ['current_password', { current_password: '' }],
    ['new_password', { new_password: 'short' }],
    ['new_password', { new_password: 'x'.repeat(257) }],
  ] as const)('names %s when it is wrong', async ([field, fields], { server }) => {
    const { browser } = await server.signedIn(await aUser(server, 'alice'))

    expect(await replyOf(browser.fetch('/api/auth/password', change(fields)))).toEqual(problem('invalid_input', field))
  })

  test('is not for API keys', async ({ server }) => {
    const alice = await aUser(server, 'alice')

    expect(await replyOf(server.fetchAs(alice)('/api/auth/password', change()))).toEqual(problem('sign_in_required'))
  })
})
