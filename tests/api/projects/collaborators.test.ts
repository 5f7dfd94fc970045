import { describe, expect } from 'vitest'
import { aProject, aUser } from '../../support/world/factories'
import { json, problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

const add = (server: TestServer, user: UserRecord, slug: string, fields: object) =>
  replyOf(server.fetchAs(user)(`/api/projects/${slug}/collaborators`, json('POST', fields)))

const remove = (server: TestServer, user: UserRecord, slug: string, who: string) =>
  replyOf(server.fetchAs(user)(`/api/projects/${slug}/collaborators/${who}`, { method: 'DELETE' }))

async function aWorld(server: TestServer) {
  const [alice, carol] = [await aUser(server, 'alice'), await aUser(server, 'carol')]
  const { slug } = await aProject(server, alice)
  return { alice, carol, slug }
}

describe('collaborators.add', () => {
  test('finds a person by username or email, in any case', async ({ server }) => {
    const { alice, slug } = await aWorld(server)
    const ways = [
      { username: 'carol' },
      { username: ' CAROL ' },
      { email: 'carol@example.com' },
      { email: 'Carol@Example.com' },
    ]
    for (const fields of ways) {
      expect(await add(server, alice, slug, fields)).toEqual({
        status: 201,
        body: { success: true, collaborators: ['carol'], maintainers: [] },
      })
      await remove(server, alice, slug, 'carol')
    }
  })

  test('adds a person only once, also for simultaneous requests', async ({ server }) => {
    const { alice, slug } = await aWorld(server)

    const both = await Promise.all([
      add(server, alice, slug, { username: 'carol' }),
      add(server, alice, slug, { email: 'carol@example.com' }),
    ])

    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await add(server, alice, slug, { username: 'carol' })).toEqual(
      problem('taken', 'username'),
    )
  })

  test('refuses the owner, and asks for one username or email', async ({ server }) => {
    const { alice, slug } = await aWorld(server)
    const owner = [{ username: 'alice' }, { email: 'alice@example.com' }]
    const both = { username: 'carol', email: 'carol@example.com' }

    for (const fields of [...owner, {}, { username: '  ' }, both, { username: ['carol'] }])
      expect(await add(server, alice, slug, fields)).toEqual(problem('invalid_input', 'username'))
  })
})

describe('collaborators.list', () => {
  test('returns the usernames in the order they were added', async ({ server }) => {
    const { alice, carol, slug } = await aWorld(server)
    await aUser(server, 'Bob')
    await add(server, alice, slug, { username: 'carol' })
    await add(server, alice, slug, { username: 'bob', role: 'maintainer' })

    for (const user of [alice, carol]) {
      expect(await replyOf(server.fetchAs(user)(`/api/projects/${slug}/collaborators`))).toEqual({
        status: 200,
        body: { success: true, collaborators: ['carol', 'Bob'], maintainers: ['Bob'] },
      })
    }
  })
})

describe('collaborators.remove', () => {
  test('takes a person off the project, by username in any case or by id', async ({ server }) => {
    const { alice, carol, slug } = await aWorld(server)
    for (const who of ['carol', 'CAROL', carol.id]) {
      await add(server, alice, slug, { username: 'carol' })
      expect(await remove(server, alice, slug, who)).toEqual({
        status: 200,
        body: { success: true, collaborators: [], maintainers: [] },
      })
      expect(await replyOf(server.fetchAs(carol)(`/api/projects/${slug}`))).toEqual(
        problem('not_found'),
      )
    }
  })

  test('ends the tester links that the person made, unless the owner keeps them', async ({
    server,
  }) => {
    const { alice, carol, slug: id } = await aWorld(server)
    const owner = server.as(alice)
    await owner.testers.create({ id, name: 'Of the owner' })
    const removed = async (keep_tester_links: 'true' | 'false') => {
      await owner.collaborators.add({ id, username: 'carol' })
      const { url } = await server.as(carol).testers.create({ id, name: 'Of Carol' })
      await owner.collaborators.remove({ id, collaboratorId: 'carol', keep_tester_links })
      return (await server.fetch(new URL(url).pathname)).status
    }

    expect(await removed('false')).toBe(404)
    expect(await removed('true')).toBe(200)
    const { testers } = await owner.testers.list({ id })
    expect(testers.map(({ created_by }) => created_by)).toEqual(['carol', 'alice'])
  })
})
