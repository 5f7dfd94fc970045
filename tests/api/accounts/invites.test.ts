import { describe, expect } from 'vitest'
import { aProject, aUser } from '../../support/world/factories'
import { refusal } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { DAY } from '../../support/world/test-clock'

const newcomer = { username: 'kim', email: 'kim@example.com', password: 'secret' }

async function aClosedHost(server: TestServer) {
  const host = await aUser(server, 'host', { isHost: true })
  await server.inside.settings.update({ registration_open: false })
  return { host, ...(await server.atWindow(host)), visitor: server.visitor() }
}

const tokenIn = (url: string) => new URL(url).searchParams.get('invite') ?? ''

describe('invites.list', () => {
  test('lists the open links, newest first, without their tokens', async ({ server }) => {
    const { client } = await aClosedHost(server)
    await client.invites.create({})
    const { url } = await client.invites.create({ tier_name: 'Basic' })

    const { invites } = await client.invites.list({})

    expect(invites.map(({ tier_name }) => tier_name)).toEqual(['Basic', null])
    expect(JSON.stringify(invites)).not.toContain(tokenIn(url))
  })
})

describe('invites.look', () => {
  test('shows a visitor what the link gives, and changes nothing', async ({ server }) => {
    const { client, visitor } = await aClosedHost(server)
    const invite = tokenIn((await client.invites.create({})).url)

    expect(await visitor.invites.look({ invite })).toMatchObject({
      tier_name: 'Free',
      project_title: null,
    })
    expect(await visitor.invites.look({ invite })).toMatchObject({ tier_name: 'Free' })
    await expect(visitor.invites.look({ invite: 'made-up' })).rejects.toMatchObject({
      code: 'invite_link_invalid',
    })
  })
})

describe('invites.create', () => {
  test('makes a link with tier and project that lets one person register on a closed host', async ({
    server,
  }) => {
    const { host, client, visitor } = await aClosedHost(server)
    const project = await aProject(server, host, { title: 'Lantern' })
    const { url, invite } = await client.invites.create({
      tier_name: 'Pro',
      project_id: project.slug,
    })
    const token = tokenIn(url)
    expect(await visitor.invites.look({ invite: token })).toMatchObject({
      tier_name: 'Pro',
      project_title: 'Lantern',
    })

    const { user } = await visitor.accounts.register({ ...newcomer, invite: token })

    expect(user).toMatchObject({ username: 'kim', tier_name: 'Pro', is_host: false })
    const kim = server.inside.users.byName('kim')
    expect((await server.as(kim!).projects.mine({})).projects).toMatchObject([
      { title: 'Lantern', role: 'collaborator' },
    ])
    expect(invite).toMatchObject({ tier_name: 'Pro', project: { title: 'Lantern' } })
    expect((await client.invites.list({})).invites).toEqual([])
  })

  test('makes a link for one account, however many people use it at once', async ({ server }) => {
    const { client, visitor } = await aClosedHost(server)
    const invite = tokenIn((await client.invites.create({})).url)

    const tries = await Promise.allSettled(
      ['ann', 'ben', 'cleo'].map((username) =>
        visitor.accounts.register({
          username,
          email: `${username}@example.com`,
          password: 'secret',
          invite,
        }),
      ),
    )

    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of tries) {
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ code: 'invite_link_invalid', status: 403 })
    }
    expect(server.inside.users.all()).toHaveLength(2)
  })

  test('makes a link that stays usable when the registration fails', async ({ server }) => {
    const { client, visitor } = await aClosedHost(server)
    const invite = tokenIn((await client.invites.create({})).url)
    await expect(
      visitor.accounts.register({ ...newcomer, username: 'host', invite }),
    ).rejects.toMatchObject({
      code: 'taken',
      field: 'username',
    })

    await expect(visitor.accounts.register({ ...newcomer, invite })).resolves.toBeDefined()
  })

  test('makes a link that names an address, for no other one', async ({ server }) => {
    const { client, visitor } = await aClosedHost(server)
    const invite = tokenIn((await client.invites.create({ email: 'Kim@example.com' })).url)

    await expect(
      visitor.accounts.register({ ...newcomer, email: 'eve@example.com', invite }),
    ).rejects.toMatchObject(refusal('invite_link_invalid', 'email'))
    await visitor.accounts.register({ ...newcomer, email: 'KIM@example.com', invite })
  })

  test('makes a link that still works when its project was deleted', async ({ server }) => {
    const { host, client, visitor } = await aClosedHost(server)
    const project = await aProject(server, host)
    const invite = tokenIn((await client.invites.create({ project_id: project.slug })).url)
    await server.as(host).projects.remove({ id: project.slug })

    const { user } = await visitor.accounts.register({ ...newcomer, invite })

    expect(user.username).toBe('kim')
  })

  test('keeps only the hash of the token', async ({ server }) => {
    const { client } = await aClosedHost(server)
    const token = tokenIn((await client.invites.create({})).url)

    expect(token).toMatch(/^[\w-]{22}$/)
    expect(JSON.stringify(server.inside.invites.open())).not.toContain(token)
  })
})

describe('invites.revoke', () => {
  test('ends a link; links that are used, revoked, expired or made up make no account', async ({
    server,
    clock,
  }) => {
    const { client, visitor } = await aClosedHost(server)
    const made = async () => tokenIn((await client.invites.create({})).url)
    const [used, revoked] = [await made(), await made()]
    await visitor.accounts.register({
      username: 'first',
      email: 'first@example.com',
      password: 'secret',
      invite: used,
    })
    const [open] = (await client.invites.list({})).invites
    await client.invites.revoke({ id: open?.invite_id ?? '' })
    const expired = await made()
    clock.advance(7 * DAY)

    for (const invite of [used, revoked, expired, 'made-up', '']) {
      await expect(visitor.accounts.register({ ...newcomer, invite })).rejects.toMatchObject({
        code: 'invite_link_invalid',
      })
    }
    expect(server.inside.users.byName('kim')).toBeUndefined()
    expect((await client.invites.list({})).invites).toEqual([])
  })
})
