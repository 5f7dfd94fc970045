import { NONE, session, tries, type Scenario } from './refusals'

const newcomer = { username: 'newcomer', email: 'newcomer@example.com', password: 'secret' }
const wrong = { username: 'alice', password: 'wrong' }

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
  'accounts.login account_disabled': async ({ server, alice }) => {
    await server.inside.users.change(alice.id, { disabled: true })
    return server.signedIn(alice)
  },
  'accounts.login too_many_requests': ({ visitor }) =>
    tries(4, () => visitor.accounts.login(wrong)),
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
  'accounts.update taken': async (world) => {
    await world.visitor.accounts.register(newcomer)
    const client = await session(world)
    return client.accounts.update({ username: newcomer.username })
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
