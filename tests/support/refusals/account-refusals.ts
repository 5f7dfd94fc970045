import type { ApiError } from '../../../renderer/lib/client/api-client'
import { Authenticator } from '../authenticator'
import { addCodes, addPasskey, codeOf, fromBase32, withPasskeys } from '../factors'
import { aHollowFile } from '../world/factories'
import { NO_MAIL_SERVER } from '../mail/a-subscriber'
import { PASSWORD } from '../world/password'
import { crowd, NONE, session, tries, window, type Scenario, type World } from './refusals'

const newcomer = { username: 'newcomer', email: 'newcomer@example.com', password: 'secret' }
const wrong = { username: 'alice', password: 'wrong' }

/** Alice deletes her account, and gives the project to carol. */
const giveToCarol = async (world: World) => {
  const { project_id } = (await world.owner.projects.byId({ id: world.here.id })).project
  const client = await session(world)
  const hand_over = [{ project_id, username: 'carol' }]
  return client.accounts.remove({ current_password: PASSWORD, hand_over })
}

/** Alice with codes of an app: what she has to say beside the password. */
async function withCodes(world: World) {
  const client = await session(world)
  const { secret } = await addCodes(world.server, client)
  const refused: unknown = await world.visitor.accounts
    .login({ username: 'alice', password: PASSWORD })
    .catch((cause: unknown) => cause)
  const sign_in_ticket = (refused as ApiError).next.ticket ?? ''
  const signIn = (code: string) => () =>
    world.visitor.factors.signInByCode({ sign_in_ticket, code })
  return { client, secret, signIn }
}

/** Alice with a passkey. */
async function withPasskey(world: World) {
  const server = await withPasskeys(world.server)
  const person = await server.signedIn(world.alice)
  const key = await addPasskey(person, server.url)
  const { client } = person
  const create = async (by = key) => {
    const { options } = await client.factors.newPasskeyOptions({})
    return client.factors.addPasskey({ name: 'Key', response: by.create(options) })
  }
  const signIn = async (by = key) => {
    const { options } = await server.visitor().factors.passkeyOptions({})
    return server.visitor().factors.signInByPasskey({ response: by.get(options) })
  }
  return { server, client, key, create, signIn }
}

/** What the calls about accounts and keys refuse. */
export const accountRefusals = {
  'accounts.register taken': ({ visitor }) =>
    visitor.accounts.register({ ...newcomer, username: 'alice' }),
  'accounts.register registration_closed': async ({ server, visitor }) => {
    await server.inside.settings.update({ registration_open: false })
    return visitor.accounts.register(newcomer)
  },
  'accounts.register invite_link_invalid': ({ visitor }) =>
    visitor.accounts.register({ ...newcomer, invite: 'made-up' }),
  'accounts.register setup_link_invalid': ({ visitor }) =>
    visitor.accounts.register({ ...newcomer, setup: 'A'.repeat(22) }),
  'accounts.register too_many_requests': async ({ visitor }) => {
    await visitor.accounts.register(newcomer)
    return visitor.accounts.register({
      ...newcomer,
      username: 'another',
      email: 'another@example.com',
    })
  },
  'accounts.forgotPassword not_supported': ({ visitor }) =>
    visitor.accounts.forgotPassword({ username: 'alice' }),
  'accounts.forgotPassword too_many_requests': async ({ server, visitor }) => {
    await server.inside.settings.update(NO_MAIL_SERVER)
    return tries(11, () => visitor.accounts.forgotPassword({ username: 'nobody' }))
  },
  'accounts.login account_disabled': async ({ server, alice }) => {
    await server.inside.users.change(alice.id, { disabled: true })
    return server.signedIn(alice)
  },
  'accounts.login too_many_requests': ({ visitor }) =>
    tries(4, () => visitor.accounts.login(wrong)),
  'accounts.login factor_needed': async (world) => {
    await withCodes(world)
    return world.server.signedIn(world.alice)
  },
  'factors.signInByCode bad_credentials': async (world) =>
    (await withCodes(world)).signIn('000000')(),
  'factors.signInByCode too_many_requests': async (world) =>
    tries(4, (await withCodes(world)).signIn('000000')),
  'factors.signInByCode sign_in_expired': ({ visitor }) =>
    visitor.factors.signInByCode({ sign_in_ticket: NONE, code: '000000' }),
  'factors.passkeyOptions sign_in_expired': async (world) =>
    (await withPasskeys(world.server)).visitor().factors.passkeyOptions({ sign_in_ticket: NONE }),
  'factors.signInByPasskey bad_credentials': async (world) => {
    const { server, signIn } = await withPasskey(world)
    return signIn(new Authenticator(server.url))
  },
  'factors.signInByPasskey too_many_requests': async (world) => {
    const { server, signIn } = await withPasskey(world)
    const stranger = new Authenticator(server.url, world.alice.id)
    return tries(4, () => signIn(stranger))
  },
  'factors.signInByPasskey account_disabled': async (world) => {
    const { signIn } = await withPasskey(world)
    await world.server.inside.users.change(world.alice.id, { disabled: true })
    return signIn()
  },
  'factors.prove bad_credentials': async (world) =>
    (await session(world)).factors.prove({ password: 'wrong' }),
  'factors.prove too_many_requests': async (world) => {
    const client = await session(world)
    return tries(4, () => client.factors.prove({ password: 'wrong' }))
  },
  'factors.prove busy': async (world) => {
    const client = await session(world)
    const end = crowd(world.server, 100, (person) => `10.0.${person}.1`)
    return client.factors.prove({ password: PASSWORD }).finally(end)
  },
  'factors.beginCodes taken': async (world) =>
    (await withCodes(world)).client.factors.beginCodes({}),
  'factors.addCodes taken': async (world) => {
    const client = await session(world)
    const { setup, secret } = await client.factors.beginCodes({})
    await addCodes(world.server, client)
    return client.factors.addCodes({ setup, code: codeOf(world.server, fromBase32(secret)) })
  },
  'factors.addCodes bad_credentials': async (world) => {
    const client = await session(world)
    const { setup } = await client.factors.beginCodes({})
    return client.factors.addCodes({ setup, code: '000000' })
  },
  'factors.addCodes too_many_requests': async (world) => {
    const client = await session(world)
    const { setup } = await client.factors.beginCodes({})
    return tries(4, () => client.factors.addCodes({ setup, code: '000000' }))
  },
  'factors.addCodes sign_in_expired': async (world) =>
    (await session(world)).factors.addCodes({ setup: NONE, code: '000000' }),
  'factors.addPasskey taken': async (world) => (await withPasskey(world)).create(),
  'factors.addPasskey too_many_records': async (world) => {
    const { server, create } = await withPasskey(world)
    return tries(20, () => create(new Authenticator(server.url)))
  },
  'accounts.changePassword too_many_requests': async (world) => {
    const client = await session(world)
    const passwords = { current_password: 'wrong', new_password: 'new secret' }
    return tries(4, () => client.accounts.changePassword(passwords))
  },
  'accounts.update too_many_requests': async (world) => {
    const client = await session(world)
    const change = { email: 'new@example.com', current_password: 'wrong' }
    return tries(4, () => client.accounts.update(change))
  },
  'accounts.update not_supported': async (world) =>
    (await session(world)).accounts.update({ email_digest: true }),
  'accounts.update taken': async (world) => {
    await world.visitor.accounts.register(newcomer)
    const client = await session(world)
    return client.accounts.update({ username: newcomer.username })
  },
  'accounts.previewDeletion forbidden': async (world) =>
    (await window(world)).accounts.previewDeletion({}),
  'accounts.remove forbidden': async (world) =>
    (await window(world)).accounts.remove({ current_password: PASSWORD }),
  'accounts.remove bad_credentials': async (world) =>
    (await session(world)).accounts.remove({ current_password: 'wrong' }),
  'accounts.remove too_many_requests': async (world) => {
    const client = await session(world)
    return tries(4, () => client.accounts.remove({ current_password: 'wrong' }))
  },
  'accounts.remove busy': async (world) => {
    const client = await session(world)
    const end = crowd(world.server, 100, (person) => `10.0.${person}.1`)
    return client.accounts.remove({ current_password: PASSWORD }).finally(end)
  },
  'accounts.remove not_found': async (world) => {
    const hand_over = [{ project_id: NONE, username: 'carol' }]
    return (await session(world)).accounts.remove({ current_password: PASSWORD, hand_over })
  },
  'accounts.remove quota_exceeded': async (world) => {
    const { server, alice, owner, here } = world
    const size = 101 * 1024 * 1024
    const file_id = await aHollowFile(server, alice, { filename: 'large.zip', size })
    await owner.projects.link({ id: here.id, file_id })
    return giveToCarol(world)
  },
  'accounts.remove too_many_records': async (world) => {
    await world.server.inside.settings.update({ projects_per_account: 1 })
    await world.server.as(world.server.user('carol')).projects.create({ title: 'Hers' })
    return giveToCarol(world)
  },
  'people.restore too_many_records': async (world) => {
    const { server, alice, owner, here } = world
    for (const content of ['One', 'Two']) await owner.posts.add({ id: here.id, content })
    await (await session(world)).accounts.remove({ current_password: PASSWORD })
    await server.inside.settings.update({ posts_per_account: 1 })
    return (await window(world)).people.restore({ id: alice.id })
  },
  'pairings.start too_many_requests': ({ visitor }) =>
    tries(21, () => visitor.pairings.start({ name: 'CI' })),
  'pairings.look too_many_requests': async (world) => {
    const client = await session(world)
    return tries(6, () => client.pairings.look({ code: 'BCDF-GHJK' }))
  },
  'pairings.answer too_many_requests': async (world) => {
    const client = await session(world)
    return tries(6, () => client.pairings.answer({ code: 'BCDF-GHJK', approve: false }))
  },
  'accounts.lookPasswordLink password_link_invalid': ({ visitor }) =>
    visitor.accounts.lookPasswordLink({ link: NONE }),
  'accounts.usePasswordLink password_link_invalid': ({ visitor }) =>
    visitor.accounts.usePasswordLink({ link: NONE, new_password: 'new secret' }),
  'invites.look invite_link_invalid': ({ visitor }) => visitor.invites.look({ invite: NONE }),
} satisfies Record<string, Scenario>
