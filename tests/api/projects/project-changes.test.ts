import { describe, expect } from 'vitest'
import { aFile, aLink, aPost, aProject } from '../../support/world/factories'
import { json, problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { DAY } from '../../support/world/test-clock'
import type { UserRecord } from '../../../server/data/records/account-records'

describe('projects.update', () => {
  const update = (server: TestServer, user: UserRecord, id: string, fields: object) =>
    replyOf(server.fetchAs(user)(`/api/projects/${id}`, json('PUT', fields)))

  test('changes what is given and keeps the rest, the slug too', async ({
    server,
    clock,
    alice,
  }) => {
    const project = await aProject(server, alice, {
      title: 'Rocket',
      description: 'Old',
      project_url: 'https://a.example',
    })
    clock.advance(DAY)

    expect(
      await update(server, alice, project.slug, { title: 'Spaceship', is_public: true }),
    ).toEqual({
      status: 200,
      body: {
        success: true,
        project: {
          ...project,
          title: 'Spaceship',
          is_public: true,
          updated_at: clock.now().toISOString(),
        },
      },
    })
  })

  test('an empty project_url removes the address', async ({ server, alice }) => {
    for (const project_url of ['', null]) {
      const { slug } = await aProject(server, alice, { project_url: 'https://a.example' })
      const { body } = await update(server, alice, slug, { project_url })
      expect(body).toMatchObject({ project: { project_url: null } })
    }
  })

  test('cannot change whose it is or its id', async ({ server, alice, project }) => {
    await update(server, alice, project.slug, {
      owner: 'bob',
      ownerId: 'bob',
      project_id: 'x',
      slug: 'y',
      collaboratorIds: [],
    })

    const after = (await server.as(alice).projects.byId({ id: project.project_id })).project
    expect(after).toMatchObject({ owner: 'alice', slug: project.slug, role: 'owner' })
  })
})

describe('projects.remove', () => {
  test('deletes the project and its posts, and keeps its files', async ({
    server,
    alice,
    published: project,
  }) => {
    const file = await aFile(server, alice)
    await aLink(server, alice, project, file)
    await aPost(server, alice, project)

    expect(
      await replyOf(server.fetchAs(alice)(`/api/projects/${project.slug}`, { method: 'DELETE' })),
    ).toEqual({
      status: 200,
      body: { success: true },
    })
    for (const path of ['', '/feed', '/collaborators', `/downloads/${file.file_id}/download`]) {
      const reply = await replyOf(
        server.fetchAs(alice)(`/api/projects/${project.project_id}${path}`),
      )
      expect(reply, path).toEqual(problem('not_found'))
    }
    expect((await server.as(alice).files.mine({})).files).toEqual([file])
    expect((await server.as(alice).projects.mine({})).projects).toEqual([])
  })
})
