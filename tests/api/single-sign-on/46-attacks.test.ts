import type { JWTPayload } from 'jose'
import { describe, expect } from 'vitest'
import { aForeignKey, visitProvider } from '../../support/openid-provider'
import { refusal } from '../../support/network/reply'
import { aStranger, linkBy, signInBy } from '../../support/single-sign-on'
import { PASSWORD } from '../../support/world/password'
import { MINUTE } from '../../support/world/test-clock'
import { test } from './at-provider'

describe('what a provider answers is verified', () => {
  test.for<[what: string, forge: (claims: JWTPayload) => JWTPayload]>([
    ['for another client', (claims) => ({ ...claims, aud: 'another-client' })],
    ['for several clients', (claims) => ({ ...claims, aud: ['slipway', 'x'], azp: 'x' })],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['with another nonce', (claims) => ({ ...claims, nonce: 'another' })],
    ['without a nonce', ({ nonce: _, ...claims }) => claims],
    ['that has expired', (claims) => ({ ...claims, exp: (claims.iat ?? 0) - 120 })],
    ['of tomorrow', (claims) => ({ ...claims, nbf: (claims.iat ?? 0) + 86_400 })],
  ])('refuses an ID token %s', async ([, forge], { alice, named, provider }) => {
    await linkBy(provider, await named.signedIn(alice))
    provider.state.forge = forge

    const { client } = aStranger(named)
    await expect(signInBy(provider, { client })).rejects.toMatchObject(refusal('sso_failed'))
    expect(await client.accounts.check({})).toEqual({ authenticated: false })
  })

  test('46: refuses a signature by another key, and takes those of new keys', async ({
    alice,
    named,
    provider,
  }) => {
    await linkBy(provider, await named.signedIn(alice))

    provider.state.forge = (claims) => claims
    provider.state.signWith = await aForeignKey('first')
    await expect(signInBy(provider, aStranger(named))).rejects.toMatchObject(refusal('sso_failed'))

    provider.state.forge = undefined
    await provider.rotate()
    await signInBy(provider, aStranger(named))
  })

  test('46: an ID token ends by the clock of the host', async ({
    alice,
    clock,
    named,
    provider,
  }) => {
    await linkBy(provider, await named.signedIn(alice))
    const { client } = aStranger(named)
    const { url } = await client.singleSignOn.begin({})
    const { search: query } = await visitProvider(provider, url)

    provider.state.forge = (claims) => ({ ...claims, exp: (claims.iat ?? 0) + 60 })
    clock.advance(5 * MINUTE)
    await expect(client.singleSignOn.finish({ query })).rejects.toMatchObject(refusal('sso_failed'))
  })

  test('46: refuses the answer of another issuer (mix-up), and one that names none', async ({
    alice,
    named,
    provider,
  }) => {
    await linkBy(provider, await named.signedIn(alice))
    const { client } = aStranger(named)
    const answerWith = async (change: (answer: URL) => void) => {
      const { url } = await client.singleSignOn.begin({})
      const answer = await visitProvider(provider, url)
      change(answer)
      return client.singleSignOn.finish({ query: answer.search })
    }

    for (const change of [
      ({ searchParams }: URL) => searchParams.set('iss', 'https://evil.example'),
      ({ searchParams }: URL) => searchParams.delete('iss'),
      ({ searchParams }: URL) => searchParams.append('iss', 'https://evil.example'),
      ({ searchParams }: URL) => searchParams.set('state', 'x'.repeat(43)),
      ({ searchParams }: URL) => searchParams.append('code', 'another'),
      ({ searchParams }: URL) => searchParams.set('code', 'another'),
    ])
      await expect(answerWith(change)).rejects.toMatchObject(refusal('sso_failed'))
    await answerWith(() => undefined)
  })

  test('46: code, state and cookie work once, in ten minutes, also after a restart', async ({
    server,
    alice,
    clock,
    named,
    provider,
  }) => {
    await linkBy(provider, await named.signedIn(alice))
    const stranger = aStranger(named)
    const { url } = await stranger.client.singleSignOn.begin({})
    const kept = stranger.browser.cookie
    const { search: query } = await visitProvider(provider, url)
    await stranger.client.singleSignOn.finish({ query })

    const replay = async (host: { url: string }, again: string) => {
      const headers = { 'content-type': 'application/json', cookie: kept }
      const body = JSON.stringify({ query: again })
      const reply = await fetch(`${host.url}/api/auth/sso/callback`, {
        ...{ method: 'POST', headers, body },
      })
      return ((await reply.json()) as { code: string }).code
    }
    // The provider refuses the code; the host refuses the state with a new one.
    expect(await replay(named, query)).toBe('sso_failed')
    const second = await visitProvider(provider, url)
    expect(await replay(named, second.search)).toBe('sign_in_expired')

    await server.close()
    const restarted = await server.restart({ port: server.port })
    restarted.inside.secrets.ssoClientSecret = named.inside.secrets.ssoClientSecret
    const third = await visitProvider(provider, url)
    expect(await replay(restarted, third.search)).toBe('sign_in_expired')

    const late = aStranger(named)
    const begun = await late.client.singleSignOn.begin({})
    const answer = await visitProvider(provider, begun.url)
    clock.advance(11 * MINUTE)
    await expect(late.client.singleSignOn.finish({ query: answer.search })).rejects.toMatchObject(
      refusal('sign_in_expired'),
    )
  })

  test('46: one cannot make the host send people, or its client secret, elsewhere', async ({
    alice,
    named,
    provider,
  }) => {
    await linkBy(provider, await named.signedIn(alice))
    const { client } = aStranger(named)
    const { url } = await client.singleSignOn.begin({})
    const { search } = await visitProvider(provider, url)
    const query = `${search}&redirect_uri=https://evil.example&from=https://evil.example`

    const reply = await client.singleSignOn.finish({ query })
    expect(Object.keys(reply).sort()).toEqual(['did', 'user'])

    // The provider asks only for the addresses that it was told.
    const elsewhere = new URL(url)
    elsewhere.searchParams.set('redirect_uri', 'https://evil.example/login/sso')
    await expect(visitProvider(provider, elsewhere.href)).rejects.toThrow('without a redirect')
  })

  test('46: while the provider is down, passwords work, and the error says so', async ({
    server,
    alice,
    log,
    named,
    provider,
  }) => {
    await linkBy(provider, await named.signedIn(alice))
    const { client } = aStranger(named)
    const { url } = await client.singleSignOn.begin({})
    const { search: query } = await visitProvider(provider, url)
    provider.stop()

    const says =
      'Example Inc cannot be reached now. Sign in with your password or a passkey, or try'
    await expect(client.singleSignOn.finish({ query })).rejects.toThrow(says)
    expect(JSON.stringify(log.lines)).toContain('ECONNREFUSED')
    server.clock.advance(11 * MINUTE)
    await expect(client.singleSignOn.begin({})).rejects.toThrow(says)
    await client.accounts.login({ username: 'alice', password: PASSWORD })
  })
})
