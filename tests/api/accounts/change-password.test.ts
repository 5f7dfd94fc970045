import { describe, expect } from 'vitest'
import { PASSWORD } from '../../support/world/password'
import { json, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'

describe('accounts.changePassword', () => {
  test('only the new password signs in afterwards', async ({ server, signedIn: { browser } }) => {
    expect(
      await replyOf(
        browser.fetch(
          '/api/auth/password',
          json('POST', { current_password: PASSWORD, new_password: 'battery staple' }),
        ),
      ),
    ).toEqual({
      status: 200,
      body: { success: true },
    })
    const signIn = (password: string) =>
      server.fetch('/api/auth/login', json('POST', { username: 'alice', password }))
    expect((await signIn(PASSWORD)).status).toBe(401)
    expect((await signIn('battery staple')).status).toBe(200)
  })
})
