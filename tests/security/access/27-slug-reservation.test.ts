import { describe, expect } from 'vitest'
import type { Project } from '../../../server/contract'
import { aFile, aLink, aProject, aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

const FEED = 'latest-linux.yml'

interface Publisher {
  user: UserRecord
  create(title?: string): Promise<Project>
  remove(project: Project): Promise<unknown>
  offerFeed(project: Project, text: string): Promise<void>
}

async function publisher(server: TestServer, name: string): Promise<Publisher> {
  const user = await aUser(server, name)
  return {
    user,
    create: (title = 'Rocket Updater') => aProject(server, user, { title, is_public: true }),
    remove: (project) => server.as(user).projects.remove({ id: project.project_id }),
    async offerFeed(project, bytes) {
      await aLink(
        server,
        user,
        project,
        await aFile(server, user, { filename: FEED, bytes, is_public: true }),
      )
    },
  }
}

const test = base.extend<{ alice: Publisher; bob: Publisher }>({
  alice: async ({ server }, use) => use(await publisher(server, 'alice')),
  bob: async ({ server }, use) => use(await publisher(server, 'bob')),
})

const feedAt = async (server: TestServer, project: string) => {
  const response = await server.fetch(`/api/projects/${project}/latest/${FEED}`)
  return response.ok ? response.text() : response.status
}

describe('the address of a deleted project', () => {
  test('stays with its owner, and returns with the project', async ({ server, alice, bob }) => {
    const project = await alice.create()
    await alice.offerFeed(project, 'GOOD by alice')
    await alice.remove(project)

    const other = await bob.create()
    await bob.offerFeed(other, 'EVIL by bob')
    expect(other.slug).toBe('rocket-updater-2')
    expect(await feedAt(server, 'rocket-updater')).toBe(404)

    await server.as(alice.user).trash.restore({ id: project.project_id })
    expect(await feedAt(server, 'rocket-updater')).toBe('GOOD by alice')
  })

  test('stays reserved after the project is deleted for good', async ({ server, alice, bob }) => {
    const project = await alice.create()
    await alice.remove(project)
    await server.as(alice.user).trash.remove({ id: project.project_id })

    expect((await bob.create()).slug).toBe('rocket-updater-2')
    expect((await alice.create()).slug).toBe('rocket-updater')
  })

  test('can be reused by its owner, and the old project then gets a number', async ({
    server,
    alice,
    bob,
  }) => {
    const first = await alice.create()
    await alice.remove(first)
    expect((await alice.create()).slug).toBe('rocket-updater')

    await server.as(alice.user).trash.restore({ id: first.project_id })
    const { project } = await server.as(alice.user).projects.byId({ id: first.project_id })
    expect(project.slug).toBe('rocket-updater-2')
    expect((await bob.create()).slug).toBe('rocket-updater-3')
  })

  test('goes to one project when two are created at once', async ({ server, alice, bob }) => {
    await alice.remove(await alice.create())
    const creators = [bob, alice, bob, alice].map(({ user }) =>
      server.as(user).projects.create({ title: 'Rocket Updater', is_public: true }),
    )
    const made = (await Promise.all(creators)).map(({ project }) => project)
    expect(made.map(({ slug }) => slug).sort()).toEqual([
      'rocket-updater',
      'rocket-updater-2',
      'rocket-updater-3',
      'rocket-updater-4',
    ])
    expect(made.find(({ slug }) => slug === 'rocket-updater')?.owner).toBe('alice')
  })

  test('by its id is reserved: a slug that is the id in lowercase does not answer', async ({
    server,
    alice,
    bob,
  }) => {
    await server.keyOf(alice.user)
    server.clock.nextIds = ['AbCdEfGhIjKl0123']
    const project = await alice.create()
    expect(project.project_id).toBe('AbCdEfGhIjKl0123')
    await alice.offerFeed(project, 'GOOD by alice')
    await alice.remove(project)

    const other = await bob.create('abcdefghijkl0123')
    await bob.offerFeed(other, 'EVIL by bob')
    expect(await feedAt(server, 'abcdefghijkl0123')).toBe('EVIL by bob')
    expect(await feedAt(server, project.project_id)).toBe(404)
  })
})
