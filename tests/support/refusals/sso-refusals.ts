import { addCodes, addPasskey } from '../factors'
import { visitProvider } from '../openid-provider'
import { aStranger, linkBy, signInBy, withProvider } from '../single-sign-on'
import { crowd, NONE, tries, window, type Scenario, type World } from './refusals'

/** A provider, at whose time the host is, with a link to the account of alice. */
async function linked(world: World, settings: Record<string, unknown> = {}) {
  const { clock } = world.server
  clock.setClock(Date.now() - clock.now().getTime())
  const { named, provider } = await withProvider(world.server, settings)
  const person = await named.signedIn(world.alice)
  await linkBy(provider, person)
  return { named, provider, ...person }
}

/** The same without a link. */
async function unlinked(world: World, settings: Record<string, unknown> = {}) {
  const all = await linked(world, settings)
  await all.client.singleSignOn.unlink({})
  return all
}

/** A person whom the provider brought, proved just now. */
async function withoutPassword(world: World) {
  const { named, provider } = await unlinked(world, { sso_new_accounts: true })
  const { client } = aStranger(named)
  await signInBy(provider, { client })
  await signInBy(provider, { client }, { again: true })
  return { client, named }
}

async function withProviderDown(world: World) {
  const all = await unlinked(world)
  all.provider.stop()
  all.named.clock.advance(11 * 60_000)
  return all
}

/** What single sign-on refuses. */
export const ssoRefusals = {
  'singleSignOn.begin sign_in_required': async (world) => {
    const { named } = await linked(world)
    return named.visitor().singleSignOn.begin({ again: true })
  },
  'singleSignOn.begin invite_link_invalid': async (world) => {
    const { named } = await linked(world)
    return named.visitor().singleSignOn.begin({ invite: NONE })
  },
  'singleSignOn.begin forbidden': async (world) => {
    const { client } = await linked(world)
    await addCodes(world.server, client)
    return client.singleSignOn.begin({ again: true })
  },
  'singleSignOn.begin sso_failed': async (world) => {
    const { named } = await withProviderDown(world)
    return named.visitor().singleSignOn.begin({})
  },
  'singleSignOn.link taken': async (world) => (await linked(world)).client.singleSignOn.link({}),
  'singleSignOn.link sso_failed': async (world) =>
    (await withProviderDown(world)).client.singleSignOn.link({}),
  'singleSignOn.unlink in_use': async (world) => {
    const { client } = await withoutPassword(world)
    return client.singleSignOn.unlink({})
  },
  'factors.removePasskey in_use': async (world) => {
    const { client, named } = await withoutPassword(world)
    await addPasskey({ client }, named.url)
    await client.singleSignOn.unlink({})
    const { factors } = await client.factors.show({})
    return client.factors.removePasskey({ id: factors.passkeys[0]?.passkey_id ?? NONE })
  },
  'accounts.update proof_needed': async (world) => {
    const { client, named } = await withoutPassword(world)
    named.clock.advance(16 * 60_000)
    return client.accounts.update({ email: 'new@example.com' })
  },
  'singleSignOn.finish sign_in_expired': async (world) => {
    const { named } = await linked(world)
    return aStranger(named).client.singleSignOn.finish({ query: '?code=x&state=y' })
  },
  'singleSignOn.finish sign_in_required': async (world) => {
    const { client, provider } = await unlinked(world)
    const { url } = await client.singleSignOn.link({})
    const { search: query } = await visitProvider(provider, url)
    await client.accounts.logout({})
    return client.singleSignOn.finish({ query })
  },
  'singleSignOn.finish sso_failed': async (world) => {
    const { named } = await linked(world)
    const { client } = aStranger(named)
    await client.singleSignOn.begin({})
    return client.singleSignOn.finish({ query: '?code=x&state=y' })
  },
  'singleSignOn.finish not_linked': async (world) => {
    const { named, provider } = await unlinked(world)
    return signInBy(provider, aStranger(named))
  },
  'singleSignOn.finish factor_needed': async (world) => {
    const { named, provider, client } = await linked(world)
    await addCodes(world.server, client)
    return signInBy(provider, aStranger(named))
  },
  'singleSignOn.finish account_disabled': async (world) => {
    const { named, provider } = await linked(world)
    await world.server.inside.users.change(world.alice.id, { disabled: true })
    return signInBy(provider, aStranger(named))
  },
  'singleSignOn.finish taken': async (world) => {
    const { client, named, provider } = await unlinked(world, { sso_new_accounts: true })
    const { url } = await client.singleSignOn.link({})
    // The same account of the provider gets an account here meanwhile.
    await signInBy(provider, aStranger(named))
    return client.singleSignOn.finish({ query: (await visitProvider(provider, url)).search })
  },
  'singleSignOn.finish invite_link_invalid': async (world) => {
    const { named, provider } = await unlinked(world)
    const { invite, url } = await (await window(world)).invites.create({})
    const token = new URL(url).searchParams.get('invite') ?? ''
    const { client } = aStranger(named)
    const begun = await client.singleSignOn.begin({ invite: token })
    await world.server.inside.invites.revoke(invite.invite_id)
    const { search: query } = await visitProvider(provider, begun.url)
    return client.singleSignOn.finish({ query })
  },
  'singleSignOn.finish too_many_requests': async (world) => {
    const { named, provider } = await unlinked(world, { sso_new_accounts: true })
    const { person } = provider.state
    return tries(3, () => {
      const sub = crypto.randomUUID()
      provider.state.person = { ...person, sub, email: `${sub}@example.org` }
      return signInBy(provider, aStranger(named))
    })
  },
  'singleSignOn.finish busy': async (world) => {
    const { named, provider } = await unlinked(world, { sso_new_accounts: true })
    const end = crowd(world.server, 100, (person) => `10.0.${person}.1`)
    return signInBy(provider, aStranger(named)).finally(end)
  },
  'singleSignOn.logout busy': async (world) => {
    const { named, provider } = await linked(world)
    const logout_token = await provider.sign({
      ...{ iss: provider.url, aud: 'slipway', iat: 0, exp: 4e9, jti: '1', sub: 'x' },
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    })
    provider.stop()
    return named.visitor().singleSignOn.logout({ logout_token })
  },
  'settings.testSso too_many_requests': async (world) => {
    const client = await window(world)
    return tries(61, () => client.settings.testSso({}))
  },
} satisfies Record<string, Scenario>
