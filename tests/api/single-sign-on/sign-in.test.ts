import { describe, expect, vi } from 'vitest'
import { almostFull } from '../../../server/data/library/journal/disk-reserve'
import { addCodes, codeOf } from '../../support/factors'
import { LEA, visitProvider } from '../../support/openid-provider'
import { json, refusal } from '../../support/network/reply'
import { aStranger, linkBy, signInBy } from '../../support/single-sign-on'
import { MINUTE } from '../../support/world/test-clock'
import { test } from './at-provider'

describe('singleSignOn.begin, singleSignOn.finish', () => {
  test('a linked person signs in, and the session says by whom', async ({
    alice,
    named,
    provider,
  }) => {
    const { client } = await named.signedIn(alice)
    expect(await linkBy(provider, { client })).toMatchObject({ did: 'linked' })
    expect((await client.host.about({})).host.single_sign_on).toEqual({
      name: 'Example Inc',
      url: `${named.url}/login/sso`,
    })

    const stranger = aStranger(named)
    expect(await signInBy(provider, stranger)).toMatchObject({
      did: 'signed_in',
      user: { username: 'alice' },
    })
    const { sessions } = await stranger.client.accounts.sessions({})
    expect(sessions[0]).toMatchObject({ proved_by: 'provider', provider: 'Example Inc' })
  })

  test('asks for what is safe: code, PKCE, state, nonce, and the address that is configured', async ({
    server,
    named,
  }) => {
    // By another address of the host.
    const reply = await server.visitor().singleSignOn.begin({})
    const url = new URL(reply.url)

    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${named.url}/login/sso`,
      scope: 'openid profile email',
    })
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(url.searchParams.get(name)?.length, name).toBeGreaterThan(40)
  })

  test('nobody without a link or an account of their own gets one, unless the host says so', async ({
    server,
    alice,
    named,
    provider,
  }) => {
    provider.state.person = { ...LEA, email: alice.email, preferred_username: alice.username }
    await expect(signInBy(provider, aStranger(named))).rejects.toMatchObject(refusal('not_linked'))

    await server.inside.settings.update({ sso_new_accounts: true })
    // Not even the same verified address opens an account that exists.
    await expect(signInBy(provider, aStranger(named))).rejects.toMatchObject(refusal('not_linked'))

    provider.state.person = { ...LEA, preferred_username: alice.username }
    const created = aStranger(named)
    expect(await signInBy(provider, created)).toMatchObject({
      user: { username: 'alice-2', email: 'lea@example.org', tier_name: 'Free', is_host: false },
    })
    expect((await created.client.singleSignOn.show({})).has_password).toBe(false)
  })

  test('a second factor of the account is asked for after the provider, too', async ({
    server,
    alice,
    named,
    provider,
  }) => {
    const { client } = await named.signedIn(alice)
    await linkBy(provider, { client })
    const { secret } = await addCodes(server, client)

    const stranger = aStranger(named)
    const refused = await signInBy(provider, stranger).catch((cause: unknown) => cause)
    expect(refused).toMatchObject(refusal('factor_needed'))

    const { ticket = '' } = (refused as { next: { ticket?: string } }).next
    await stranger.client.factors.signInByCode({
      sign_in_ticket: ticket,
      code: codeOf(server, secret),
    })
    const { sessions } = await stranger.client.accounts.sessions({})
    expect(sessions[0]).toMatchObject({ proved_by: 'code', provider: 'Example Inc' })

    // The link is gone before the code is entered.
    const late = await signInBy(provider, aStranger(named)).catch((cause: unknown) => cause)
    const { ticket: ended = '' } = (late as { next: { ticket?: string } }).next
    await client.singleSignOn.unlink({})
    server.clock.advance(MINUTE)
    const code = codeOf(server, secret)
    await expect(
      stranger.client.factors.signInByCode({ sign_in_ticket: ended, code }),
    ).rejects.toMatchObject(refusal('sign_in_expired'))
  })

  test('where the host asks everybody for a second factor, the provider alone opens nothing', async ({
    server,
    alice,
    named,
    provider,
  }) => {
    await linkBy(provider, await named.signedIn(alice))
    await server.inside.settings.update({ second_factor: 'everybody' })

    const { client, browser } = aStranger(named)
    await signInBy(provider, { client })

    await expect(client.apiKeys.list({})).rejects.toMatchObject(refusal('factor_required'))
    expect((await client.accounts.me({})).lacks_factor).toBe(true)
    // A fresh proof at the provider lets them add one.
    await expect(client.factors.beginCodes({})).rejects.toMatchObject(refusal('proof_needed'))
    const { url } = await client.singleSignOn.begin({ again: true })
    expect(new URL(url).searchParams.get('prompt')).toBe('login')
    const { search: query } = await visitProvider(provider, url)
    expect(await client.singleSignOn.finish({ query })).toMatchObject({ did: 'proved' })
    await addCodes(server, client)
    expect(browser.cookie).not.toContain('slipway.sso=')
  })

  test('over HTTPS, no other name of the domain can plant the secrets of a sign-in', async ({
    server,
    named: { fetch },
  }) => {
    await server.inside.settings.update({ public_url: 'https://builds.example' })
    const { headers } = await fetch('/api/auth/sso', json('POST', {}))
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-slipway\.sso=[^;]+; path=\/; .*secure; httponly/),
    ])
  })

  test('groups give tiers at each sign-in, but not to the host account', async ({
    server,
    alice,
    atWindow,
    named,
    provider,
  }) => {
    await server.inside.settings.update({
      sso_group_claim: 'groups',
      sso_tiers: ['owners = Enterprise', 'developers = Pro'],
    })
    await linkBy(provider, await named.signedIn(alice))
    const tierOf = async () => (await signInBy(provider, aStranger(named))).user.tier_name

    expect(await tierOf()).toBe('Pro')
    provider.state.person = { ...LEA, groups: ['owners'] }
    expect(await tierOf()).toBe('Enterprise')
    // Without a group that has one, it stays.
    provider.state.person = { ...LEA, groups: [] }
    expect(await tierOf()).toBe('Enterprise')
    const { events } = await atWindow.client.audit.list({ kind: 'tier_change' })
    expect(events.map(({ detail }) => detail)).toEqual([
      'Pro → Enterprise, by a group at Example Inc',
      'Free → Pro, by a group at Example Inc',
    ])

    provider.state.person = { ...LEA, sub: 'host-1', groups: ['developers'] }
    await linkBy(provider, await named.signedIn(server.user('host')))
    expect(await tierOf()).toBe('Enterprise')
  })

  test('a full disk keeps nobody out whose tier would change', async ({
    server,
    alice,
    named,
    provider,
  }) => {
    await server.inside.settings.update({
      ...{ sso_group_claim: 'groups', sso_tiers: ['developers = Pro'] },
    })
    await linkBy(provider, await named.signedIn(alice))
    const tierOf = async () => (await signInBy(provider, aStranger(named))).user.tier_name

    vi.spyOn(server.inside.users, 'change').mockRejectedValueOnce(almostFull())
    expect(await tierOf()).toBe('Free')
    expect(await tierOf()).toBe('Pro')
  })

  test('an invite link creates an account; one that names an address needs that, verified', async ({
    server,
    atWindow,
    named,
    provider,
  }) => {
    await server.inside.settings.update({ registration_open: false })
    const invite = async (email?: string) => {
      const { url } = await atWindow.client.invites.create({ tier_name: 'Pro', email })
      return new URL(url).searchParams.get('invite') ?? ''
    }

    const forLea = await invite('Lea@example.org')
    provider.state.person = { ...LEA, email_verified: false }
    for (const input of [{}, { invite: forLea }])
      await expect(signInBy(provider, aStranger(named), input)).rejects.toMatchObject(
        refusal('not_linked'),
      )
    provider.state.person = { ...LEA, email: 'eve@example.org' }
    await expect(signInBy(provider, aStranger(named), { invite: forLea })).rejects.toMatchObject(
      refusal('not_linked'),
    )

    // UserInfo has verified another address than the token has.
    provider.state.forge = (claims) => ({ ...claims, email: LEA.email })
    provider.state.person = { ...LEA, email: 'eve@example.org' }
    await expect(signInBy(provider, aStranger(named))).rejects.toMatchObject(refusal('not_linked'))
    provider.state.forge = undefined

    // The provider verified the address, so the link is not needed.
    provider.state.person = LEA
    const { user } = await signInBy(provider, aStranger(named))
    expect(user).toMatchObject({ username: 'lea', tier_name: 'Pro' })
    expect((await atWindow.client.invites.list({})).invites).toEqual([])
    await expect(
      aStranger(named).client.singleSignOn.begin({ invite: forLea }),
    ).rejects.toMatchObject(refusal('invite_link_invalid'))

    // No letter of the name may be in a username.
    const kim = { sub: 'kim', email: 'kim@example.org', email_verified: false }
    provider.state.person = { ...LEA, ...kim, preferred_username: '李雷' }
    const created = await signInBy(provider, aStranger(named), { invite: await invite() })
    expect(created.user.username).toBe('kim')
  })

  test('a disabled account stays closed', async ({ server, alice, named, provider }) => {
    await linkBy(provider, await named.signedIn(alice))
    await server.inside.users.change(alice.id, { disabled: true })

    await expect(signInBy(provider, aStranger(named))).rejects.toMatchObject(
      refusal('account_disabled'),
    )
  })
})

describe('settings.testSso', () => {
  test('says in words what is wrong with the provider', async ({ atWindow, provider }) => {
    const { settings } = atWindow.client
    const problem = async () => (await settings.testSso({})).problem
    expect(await problem()).toBeNull()

    provider.state.describe = (metadata) => ({ ...metadata, issuer: 'https://other.example' })
    expect(await problem()).toContain('calls itself https://other.example')
    provider.state.describe = (metadata) => ({ ...metadata, response_types_supported: ['token'] })
    expect(await problem()).toContain('authorization code flow')
    provider.state.describe = (metadata) => ({ ...metadata, token_endpoint: 'http://a.example/t' })
    expect(await problem()).toContain('http://a.example/t')
    provider.state.describe = () => ({ hello: 'world' })
    expect(await problem()).toContain('lacks a valid issuer')
    provider.state.isDown = true
    expect(await problem()).toContain('answered 503')
    provider.stop()
    expect(await problem()).toContain('nothing answers')

    await expect(settings.change({ sso_issuer: 'http://auth.example.org' })).rejects.toMatchObject(
      refusal('invalid_input', 'sso_issuer'),
    )
    await expect(settings.change({ sso_client_id: '' })).rejects.toMatchObject(
      refusal('invalid_input', 'sso_client_id'),
    )
  })

  test('the client secret is in no reply, log or audit log, and goes to no other issuer', async ({
    atWindow,
    log,
    provider,
  }) => {
    const { client } = atWindow
    const secret = 'a client secret that nobody may read'
    const reply = await client.settings.change({ sso_client_secret: secret })
    expect(reply.settings.sso_client_secret_set).toBe(true)

    const { events } = await client.audit.list({ kind: 'settings_change' })
    expect(events[0]?.detail).toBe('sso_client_secret: changed')
    expect(JSON.stringify([reply, events, log.lines])).not.toContain(secret)

    const moved = await client.settings.change({ sso_issuer: `${provider.url}/other` })
    expect(moved.settings.sso_client_secret_set).toBe(false)
    await client.settings.change({ sso_client_secret: secret })
    const off = await client.settings.change({ sso_issuer: '' })
    expect(off.settings.sso_client_secret_set).toBe(false)
    expect((await client.host.about({})).host.single_sign_on).toBeNull()
  })
})
