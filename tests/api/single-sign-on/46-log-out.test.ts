import type { JWTPayload } from 'jose'
import { describe, expect } from 'vitest'
import { addCodes, addPasskey, codeOf } from '../../support/factors'
import { refusal } from '../../support/network/reply'
import type { OpenIdProvider } from '../../support/openid-provider'
import { aStranger, linkBy, signInBy } from '../../support/single-sign-on'
import { Browser } from '../../support/system/browser'
import { MINUTE } from '../../support/world/test-clock'
import { test } from './at-provider'

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }

/** Claims that end the sessions of Lea. */
const goodClaims = ({ url }: OpenIdProvider) => {
  const now = Math.floor(Date.now() / 1000)
  return {
    ...{ iss: url, aud: 'slipway', iat: now, exp: now + 120 },
    ...{ jti: 'logout-1', sub: 'lea-1', events: EVENTS },
  }
}

/** Returns a function that sends claims as the provider does, and returns the status. */
const sending =
  (provider: OpenIdProvider, named: { url: string }) =>
  async (claims: JWTPayload, typ: string | null = 'logout+jwt') => {
    const body = new URLSearchParams({ logout_token: await provider.sign(claims, typ) })
    return (await fetch(`${named.url}/api/auth/sso/logout`, { method: 'POST', body })).status
  }

describe('singleSignOn.logout', () => {
  test('46: only a logout token of the provider for this host ends sessions, once', async ({
    alice,
    named,
    provider,
  }) => {
    await linkBy(provider, await named.signedIn(alice))
    const { client } = aStranger(named)
    await signInBy(provider, { client })

    const good = goodClaims(provider)
    const now = good.iat
    const send = sending(provider, named)

    for (const wrong of [
      { ...good, iss: 'https://evil.example' },
      { ...good, aud: 'another-client' },
      { ...good, exp: now - 120 },
      { ...good, exp: 1e300 },
      { ...good, nonce: 'an ID token has one' },
      { ...good, events: {} },
      { ...good, jti: '' },
    ])
      expect(await send(wrong), JSON.stringify(wrong)).toBe(400)
    const { sub: _, ...ofNobody } = good
    expect(await send(ofNobody)).toBe(400)
    expect(await send(good, 'at+jwt')).toBe(400)
    await client.accounts.me({})

    expect(await send({ ...good, jti: 'logout-2', sub: 'somebody-else' })).toBe(200)
    expect(await send({ ...good, jti: 'logout-3', sid: 'another session' })).toBe(200)
    await client.accounts.me({})
    // In one commit: after a crash the token either works, or has ended the sessions.
    let commits = 0
    named.inside.library.onCommitted = () => commits++
    expect(await send(good)).toBe(200)
    expect(commits).toBe(1)
    await expect(client.accounts.me({})).rejects.toMatchObject(refusal('sign_in_required'))

    named.clock.advance(1)
    await signInBy(provider, { client })
    expect(await send(good)).toBe(400)
    await client.accounts.me({})

    // A page of another site cannot send one.
    const page = new Browser(named.url, { 'sec-fetch-site': 'cross-site' })
    const { status } = await page.fetch('/api/auth/sso/logout', { method: 'POST' })
    expect(status).toBe(403)
  })

  test('46: takes the types that providers give it, and never an ID token', async ({
    alice,
    named,
    provider,
  }) => {
    await linkBy(provider, await named.signedIn(alice))
    const { client } = aStranger(named)
    let idToken: JWTPayload = {}
    provider.state.forge = (claims) => (idToken = claims)
    await signInBy(provider, { client })
    const send = sending(provider, named)

    // With all that a logout token has, but what makes it one.
    const both: JWTPayload = { ...goodClaims(provider), ...idToken }
    const { nonce, ...rest } = both
    const { events: _, ...withoutEvents } = rest
    for (const typ of ['JWT', 'logout+jwt', null]) {
      expect(await send({ ...rest, nonce }, typ)).toBe(400)
      expect(await send(withoutEvents, typ)).toBe(400)
    }
    for (const typ of ['at+jwt', 'secevent+jwt', 'dpop+jwt', ''])
      expect(await send(rest, typ), typ).toBe(400)
    await client.accounts.me({})

    const types = ['JWT', 'jwt', 'application/logout+jwt', 'Logout+JWT', null]
    for (const [index, typ] of types.entries())
      expect(await send({ ...rest, jti: `logout-${index}` }, typ), String(typ)).toBe(200)
  })

  test('46: ends sign-ins that still need a second factor', async ({
    server,
    alice,
    clock,
    named,
    provider,
  }) => {
    const { client } = await named.signedIn(alice)
    await linkBy(provider, { client })
    const key = await addPasskey({ client }, named.url)
    const { secret } = await addCodes(server, client)
    const send = sending(provider, named)

    const begin = async () => {
      const stranger = aStranger(named)
      const refused = await signInBy(provider, stranger).catch((cause: unknown) => cause)
      const { ticket = '' } = (refused as { next: { ticket?: string } }).next
      return { ...stranger.client, ticket }
    }

    const [byCode, byPasskey] = [await begin(), await begin()]
    const { options } = await byPasskey.factors.passkeyOptions({ sign_in_ticket: byPasskey.ticket })
    expect(await send({ ...goodClaims(provider), jti: 'logout-1' })).toBe(200)
    const expired = refusal('sign_in_expired')
    const code = codeOf(server, secret)
    await expect(
      byCode.factors.signInByCode({ sign_in_ticket: byCode.ticket, code }),
    ).rejects.toMatchObject(expired)
    await expect(
      byPasskey.factors.signInByPasskey({ response: key.get(options) }),
    ).rejects.toMatchObject(refusal('bad_credentials'))
    await expect(byPasskey.accounts.me({})).rejects.toMatchObject(refusal('sign_in_required'))

    // By the session at the provider alone, as some providers say it.
    clock.advance(MINUTE)
    let sid = ''
    provider.state.forge = (claims) => {
      sid = String(claims['sid'])
      return claims
    }
    const other = await begin()
    const ended = await begin()
    const { sub: _, ...claims } = goodClaims(provider)
    expect(await send({ ...claims, jti: 'logout-2', sid })).toBe(200)
    await other.factors.signInByCode({
      ...{ sign_in_ticket: other.ticket, code: codeOf(server, secret) },
    })
    clock.advance(MINUTE)
    await expect(
      ended.factors.signInByCode({
        ...{ sign_in_ticket: ended.ticket, code: codeOf(server, secret) },
      }),
    ).rejects.toMatchObject(expired)

    // One that begins later continues.
    const later = await begin()
    await later.factors.signInByCode({
      ...{ sign_in_ticket: later.ticket, code: codeOf(server, secret, 1) },
    })
  })
})
