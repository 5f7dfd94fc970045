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
  test.for([
    { username: 'carol' },
    { username: ' CAROL ' },
    { email: 'carol@example.com' },
    { email: 'Carol@Example.com' },
  ])('%j', async (fields, { server }) => {
    const { alice, slug } = await aWorld(server)

    expect(await add(server, alice, slug, fields)).toEqual({
      status: 201,
      body: { success: true, collaborators: ['carol'], maintainers: [] },
    })
  })

  test('lets the person see the project', async ({ server }) => {
    const { alice, carol, slug } = await aWorld(server)
    await add(server, alice, slug, { username: 'carol' })

    expect((await server.as(carol).projects.byId({ id: slug })).project.role).toBe('collaborator')
  })

  test('adds a person only once, also for simultaneous requests', async ({ server }) => {
    const { alice, slug } = await aWorld(server)

    const both = await Promise.all([
      add(server, alice, slug, { username: 'carol' }),
      add(server, alice, slug, { email: 'carol@example.com' }),
    ])

    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await add(server, alice, slug, { username: 'carol' })).toEqual(problem('taken', 'username'))
  })

  test('the owner cannot be added', async ({ server }) => {
    const { alice, slug } = await aWorld(server)

    expect(await add(server, alice, slug, { username: 'alice' })).toEqual(problem('invalid_input', 'username'))
    expect(await add(server, alice, slug, { email: 'alice@example.com' })).toEqual(problem('invalid_input', 'username'))
  })

  test.for([{}, { username: '  ' }, { username: 'carol', email: 'carol@example.com' }, { username: ['carol'] }])(
    'asks for one username or email: %j',
    async (fields, { server }) => {
      const { alice, slug } = await aWorld(server)

      expect(await add(server, alice, slug, fields)).toEqual(problem('invalid_input', 'username'))
    },
  )
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
  test.for([
    ['by username', (): string => 'carol'],
    ['by username in any case', (): string => 'CAROL'],
    ['by user id', (carol: UserRecord): string => carol.id],
  ] as const)('takes a person off the project, %s', async ([, name], { server }) => {
    const { alice, carol, slug } = await aWorld(server)
    await add(server, alice, slug, { username: 'carol' })

    expect(await remove(server, alice, slug, name(carol))).toEqual({
      status: 200,
      body: { success: true, collaborators: [], maintainers: [] },
    })
    expect(await replyOf(server.fetchAs(carol)(`/api/projects/${slug}`))).toEqual(problem('not_found'))
  })
})
