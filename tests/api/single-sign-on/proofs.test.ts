import { describe, expect } from 'vitest'
import { addCodes } from '../../support/factors'
import { LEA, visitProvider } from '../../support/openid-provider'
import { refusal } from '../../support/network/reply'
import { createClient } from '../../support/network/client'
import { aStranger, linkBy, signInBy, withProvider } from '../../support/single-sign-on'
import { MINUTE } from '../../support/world/test-clock'
import { test } from './at-provider'

describe('singleSignOn.begin, singleSignOn.finish', () => {
  test('an API key proves no session, neither its own person’s nor another’s', async ({
    clock,
    alice,
    bob,
    named,
    provider,
  }) => {
    clock.advance(-16 * MINUTE)
    const stolen = await named.signedIn(alice)
    clock.advance(16 * MINUTE)
    const eve = await named.signedIn(bob)
    await linkBy(provider, eve)
    const { api_key: key } = await eve.client.apiKeys.create({ name: 'CI', scopes: ['manage'] })

    const { url } = await eve.client.singleSignOn.begin({ again: true })
    const { search: query } = await visitProvider(provider, url)
    const cookie = `${stolen.browser.cookie}; ${/slipway\.sso=[^;]+/.exec(eve.browser.cookie)?.[0]}`
    const withKey = createClient(named.url, {
      fetch: (to, init) => {
        const headers = { ...Object.fromEntries(new Headers(init?.headers)), 'x-api-key': key }
        const url = new URL(to instanceof Request ? to.url : to, named.url)
        return fetch(url, { ...init, headers: { ...headers, cookie } })
      },
    })

    for (const call of [
      () => withKey.singleSignOn.finish({ query }),
      () => withKey.singleSignOn.begin({ again: true }),
    ])
      await expect(call()).rejects.toMatchObject(refusal('sign_in_required'))
    await expect(stolen.client.singleSignOn.link({})).rejects.toMatchObject(refusal('proof_needed'))
  })

  test('without auth_time no provider proves again, and the first factor has 15 minutes', async ({
    server,
    atWindow,
    alice,
    clock,
    named,
    provider,
  }) => {
    await server.inside.settings.update({
      ...{ sso_new_accounts: true, second_factor: 'everybody' },
    })
    provider.state.forge = ({ auth_time: _, ...claims }) => claims
    provider.state.describe = (metadata) => ({ ...metadata, claims_supported: ['sub'] })
    const { problem, note } = await atWindow.client.settings.testSso({})
    expect([problem, note]).toEqual([null, expect.stringContaining('auth_time')])

    const { client } = aStranger(named)
    await signInBy(provider, { client })
    const again = signInBy(provider, { client }, { again: true })
    await expect(again).rejects.toThrow('Sign out and sign in again')
    clock.advance(16 * MINUTE)
    await expect(client.factors.beginCodes({})).rejects.toMatchObject(refusal('proof_needed'))
    clock.advance(-16 * MINUTE)
    await addCodes(server, client)

    // A person with a password uses that.
    await server.inside.settings.update({ second_factor: 'nobody' })
    provider.state.person = { ...LEA, sub: 'alice-1' }
    await linkBy(provider, await named.signedIn(alice))
    const linked = aStranger(named)
    await signInBy(provider, linked)
    const byProvider = signInBy(provider, linked, { again: true })
    await expect(byProvider).rejects.toThrow('Use your password instead')
    await expect(linked.client.factors.beginCodes({})).rejects.toMatchObject(
      refusal('proof_needed'),
    )
  })

  test('a proof is younger than its beginning', async ({ alice, named, provider }) => {
    const person = await named.signedIn(alice)
    await linkBy(provider, person)

    for (const [age, isTaken] of [
      [120, false],
      [30, true],
    ] as const) {
      provider.state.forge = (claims) => ({ ...claims, auth_time: (claims.iat ?? 0) - age })
      const proving = signInBy(provider, person, { again: true })
      if (isTaken) expect((await proving).did).toBe('proved')
      else await expect(proving).rejects.toThrow('did not ask you to sign in again')
    }
  })

  test('a person without a password proves themselves by the provider', async ({
    server,
    clock,
  }) => {
    const { named, provider } = await withProvider(server, { sso_new_accounts: true })
    const { client } = aStranger(named)
    clock.advance(-16 * MINUTE)
    await signInBy(provider, { client })
    clock.advance(16 * MINUTE)

    const [email, password] = ['lea@home.example', { new_password: 'a staple of my own' }]
    for (const call of [
      () => client.accounts.update({ email }),
      () => client.accounts.changePassword(password),
      () => client.accounts.remove({ hand_over: [] }),
    ])
      await expect(call()).rejects.toMatchObject(refusal('proof_needed'))

    await signInBy(provider, { client }, { again: true })
    expect((await client.accounts.update({ email })).user.email).toBe(email)
    await client.accounts.changePassword(password)
    expect((await client.singleSignOn.show({})).has_password).toBe(true)
    await expect(client.accounts.changePassword(password)).rejects.toMatchObject(
      refusal('bad_credentials', 'current_password'),
    )
  })
})
