import { describe, expect } from 'vitest'
import { addPasskey } from '../../support/factors'
import { NO_MAIL_SERVER } from '../../support/mail/a-subscriber'
import { visitProvider } from '../../support/openid-provider'
import { refusal } from '../../support/network/reply'
import { aStranger, linkBy, signInBy } from '../../support/single-sign-on'
import { Browser } from '../../support/system/browser'
import { PASSWORD } from '../../support/world/password'
import { MINUTE } from '../../support/world/test-clock'
import { test } from './at-provider'

describe('singleSignOn.show, singleSignOn.link, singleSignOn.unlink', () => {
  test('linking needs a fresh proof, is shown, and ends with all other sessions', async ({
    clock,
    alice,
    bob,
    named,
    provider,
  }) => {
    const { client } = await named.signedIn(alice)
    clock.advance(16 * MINUTE)
    await expect(client.singleSignOn.link({})).rejects.toMatchObject(refusal('proof_needed'))
    await client.factors.prove({ password: PASSWORD })
    clock.advance(-16 * MINUTE)
    await client.factors.prove({ password: PASSWORD })

    const elsewhere = await named.signedIn(alice)
    await linkBy(provider, { client })
    await expect(elsewhere.client.accounts.me({})).rejects.toMatchObject(
      refusal('sign_in_required'),
    )
    expect(await client.singleSignOn.show({})).toMatchObject({
      has_password: true,
      identity: { issuer: provider.url, label: 'lea@example.org', last_used_at: null },
    })
    await expect(client.singleSignOn.link({})).rejects.toMatchObject(refusal('taken'))
    await expect(linkBy(provider, await named.signedIn(bob))).rejects.toMatchObject(
      refusal('taken'),
    )

    await client.singleSignOn.unlink({})
    expect((await client.singleSignOn.show({})).identity).toBeNull()
    await expect(client.singleSignOn.unlink({})).rejects.toMatchObject(refusal('not_found'))
    await expect(signInBy(provider, aStranger(named))).rejects.toMatchObject(refusal('not_linked'))
  })

  test('only the person who began links, in the same browser', async ({
    alice,
    bob,
    named,
    provider,
  }) => {
    const person = await named.signedIn(alice)
    const { url } = await person.client.singleSignOn.link({})
    const { search: query } = await visitProvider(provider, url)

    // Another browser has no cookie; this one may have been handed to somebody else.
    await expect(aStranger(named).client.singleSignOn.finish({ query })).rejects.toMatchObject(
      refusal('sign_in_expired'),
    )
    await person.client.accounts.logout({})
    await person.client.accounts.login({ username: bob.username, password: PASSWORD })
    await expect(person.client.singleSignOn.finish({ query })).rejects.toMatchObject(
      refusal('sign_in_required'),
    )
  })

  test('a link, the end of the other sessions and the mail about it are one commit', async ({
    server,
    alice,
    named,
    provider,
  }) => {
    const { client } = await named.signedIn(alice)
    const begun = await client.singleSignOn.link({})
    const { search: query } = await visitProvider(provider, begun.url)

    await server.inside.settings.update(NO_MAIL_SERVER)
    for (const change of [
      () => client.singleSignOn.finish({ query }),
      () => client.singleSignOn.unlink({}),
    ]) {
      const other = await named.signedIn(alice)
      let commits = 0
      named.inside.library.onCommitted = () => commits++
      await change()
      expect(commits).toBe(1)
      await expect(other.client.accounts.me({})).rejects.toMatchObject(refusal('sign_in_required'))
    }
    const queued = [...server.inside.library.collection('notices').values()]
    expect(queued.map(({ news }) => 'what' in news && news.what)).toEqual([
      'link_added',
      'link_removed',
    ])
  })

  test('an account without a password keeps its link or its last passkey', async ({
    server,
    named,
    provider,
  }) => {
    await server.inside.settings.update({ sso_new_accounts: true })
    const { client } = aStranger(named)
    await signInBy(provider, { client })
    await signInBy(provider, { client }, { again: true })
    await expect(client.singleSignOn.unlink({})).rejects.toMatchObject(refusal('in_use'))

    await addPasskey({ client }, named.url)
    await client.singleSignOn.unlink({})
    const { factors } = await client.factors.show({})
    const id = factors.passkeys[0]?.passkey_id ?? ''
    await expect(client.factors.removePasskey({ id })).rejects.toMatchObject(refusal('in_use'))

    await client.accounts.changePassword({ new_password: PASSWORD })
    await client.factors.removePasskey({ id })
    await aStranger(named).client.accounts.login({ username: 'lea', password: PASSWORD })
  })
})

describe('singleSignOn.logout', () => {
  test('signing out at the provider ends its sessions here, and no others', async ({
    alice,
    atWindow,
    named,
    provider,
  }) => {
    const byPassword = await named.signedIn(alice)
    await linkBy(provider, byPassword)
    const there = new Browser(provider.url)
    const { client } = aStranger(named)
    const { url } = await client.singleSignOn.begin({})
    const { search: query } = await visitProvider(provider, url, there)
    await client.singleSignOn.finish({ query })

    const page = await (await there.fetch('/session/end')).text()
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
    await there.fetch('/session/end/confirm', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    })

    await expect(client.accounts.me({})).rejects.toMatchObject(refusal('sign_in_required'))
    await byPassword.client.accounts.me({})
    const { events } = await atWindow.client.audit.list({ kind: 'sso_logout' })
    expect(events).toMatchObject([{ subject: 'alice', via: 'browser' }])
  })
})
