import { describe, expect } from 'vitest'
import { refusal } from '../../support/network/reply'
import { aStranger, linkBy, signInBy } from '../../support/single-sign-on'
import { test } from './at-provider'

describe('a failed sign-in by the provider', () => {
  test('is in the audit log, and counts for the network', async ({
    server,
    alice,
    atWindow,
    named,
    provider,
  }) => {
    const failed = async () => {
      const { events } = await atWindow.client.audit.list({ kind: 'sign_in_failed' })
      return events.map(({ detail, username }) => [detail, username])
    }
    const from = 'with Example Inc'

    await expect(signInBy(provider, aStranger(named))).rejects.toMatchObject(refusal('not_linked'))
    const person = await named.signedIn(alice)
    await linkBy(provider, person)
    provider.state.forge = (claims) => ({ ...claims, nonce: 'another' })
    await expect(signInBy(provider, aStranger(named))).rejects.toMatchObject(refusal('sso_failed'))
    await expect(signInBy(provider, person, { again: true })).rejects.toMatchObject(
      refusal('sso_failed'),
    )
    provider.state.forge = undefined
    expect(await failed()).toEqual([
      [from, 'alice'],
      [from, null],
      [from, null],
    ])

    // None of these tries to get in.
    provider.state.isRefused = true
    await expect(signInBy(provider, aStranger(named))).rejects.toMatchObject(refusal('sso_failed'))
    provider.state.isRefused = false
    await expect(aStranger(named).client.singleSignOn.finish({ query: '?' })).rejects.toMatchObject(
      refusal('sign_in_expired'),
    )
    await signInBy(provider, aStranger(named))
    await server.inside.users.change(alice.id, { disabled: true })
    await expect(signInBy(provider, aStranger(named))).rejects.toMatchObject(
      refusal('account_disabled'),
    )
    expect(await failed()).toHaveLength(3)
  })

  const limited = test.extend({
    config: { rateLimits: true },
    settings: { failed_sign_ins_per_address: 3 },
  })
  limited('is one of those that a network has', async ({ alice, named, provider }) => {
    await linkBy(provider, await named.signedIn(alice))
    for (let time = 0; time < 5; time++) await signInBy(provider, aStranger(named))

    const lea = provider.state.person
    provider.state.person = { ...lea, sub: 'somebody-else' }
    for (let time = 0; time < 3; time++)
      await expect(signInBy(provider, aStranger(named))).rejects.toMatchObject(
        refusal('not_linked'),
      )
    provider.state.person = lea
    await expect(signInBy(provider, aStranger(named))).rejects.toMatchObject(
      refusal('too_many_requests'),
    )
  })
})
