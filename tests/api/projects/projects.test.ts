import { describe, expect } from 'vitest'
import { aFile, aLink, aProject, aUser } from '../../support/world/factories'
import { json, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { UserRecord } from '../../../server/data/records/account-records'

describe('projects.create', () => {
  test('takes the address that a person chose, unless another project has it', async ({
    server,
    alice,
  }) => {
    const { projects } = server.as(alice)
    const create = (slug: string) => projects.create({ title: 'API Demos', slug })

    expect((await create('demos')).project).toMatchObject({ title: 'API Demos', slug: 'demos' })
    await expect(create('demos')).rejects.toMatchObject({
      code: 'taken',
      field: 'slug',
      suggestion: 'demos-2',
    })
    for (const bad of ['', 'Demos', 'a--b', '-a', 'a/b', 'ä', 'a'.repeat(61)])
      await expect(create(bad)).rejects.toMatchObject({ code: 'invalid_input', field: 'slug' })
  })

  test('makes a project and answers it', async ({ server, clock, alice }) => {
    const fields = {
      title: ' Rocket Launcher ',
      short_description: 'Launches rockets',
      description: 'First line\n\nSecond line',
      is_public: true,
      project_url: 'https://rockets.example/launcher',
    }

    expect(await replyOf(server.fetchAs(alice)('/api/projects', json('POST', fields)))).toEqual({
      status: 201,
      body: {
        success: true,
        project: {
          ...fields,
          title: 'Rocket Launcher',
          summary: 'Launches rockets',
          project_id: expect.stringMatching(/^[\w-]{16}$/),
          slug: 'rocket-launcher',
          owner: 'alice',
          created_at: clock.now().toISOString(),
          updated_at: clock.now().toISOString(),
          stats: { total_downloads: 0, views: 0 },
          downloads: [],
          total_files: 0,
          platforms: [],
          icon_url: null,
          pictures: { icon: null, cover: null, screenshots: [] },
          takes_reports: false,
          open_reports: 0,
          takes_requests: false,
          role: 'owner',
          can: [
            'read',
            'update',
            'delete',
            'link',
            'unlink',
            'collaborate',
            'post',
            'testers',
            'reports',
            'webhooks',
          ],
        },
      },
    })
  })

  test('needs no more than a title, and is private then', async ({ server }) => {
    const project = await aProject(server, await aUser(server, 'alice'), { title: 'Rocket' })

    expect(project).toMatchObject({
      short_description: '',
      description: '',
      is_public: false,
      project_url: null,
    })
  })

  test('accepts 100 characters of short description, and no address', async ({ server, alice }) => {
    const project = await aProject(server, alice, {
      short_description: 'x'.repeat(100),
      project_url: '',
    })

    expect(project).toMatchObject({ short_description: 'x'.repeat(100), project_url: null })
  })
})

describe('projects.listPublic', () => {
  test('filters by platform, orders by name and downloads', async ({ server, clock, alice }) => {
    const ids: Record<string, string> = {}
    for (const title of ['Zebra 10', 'ape', 'Zebra 9']) {
      const { project_id } = await aProject(server, alice, { title, is_public: true })
      ids[title] = project_id
      clock.advance(1000)
    }
    const publish = async (title: string, filename: string, isPublic = true) => {
      clock.advance(1000)
      return aFile(server, alice, { filename, project_id: ids[title]!, is_public: isPublic })
    }
    await publish('Zebra 9', 'zebra.exe')
    const { file_id } = await publish('ape', 'ape.apk')
    await publish('Zebra 10', 'zebra.apk', false)
    await server
      .fetch(`/api/projects/${ids['ape']}/downloads/${file_id}/download`)
      .then((it) => it.arrayBuffer())
    await expect
      .poll(async () => (await server.visitor().projects.byId({ id: ids['ape']! })).project.stats)
      .toMatchObject({ total_downloads: 1 })

    type Query = Parameters<ReturnType<typeof server.visitor>['projects']['listPublic']>[0]
    const titlesOf = async (query: Query) => {
      const { projects, total } = await server.visitor().projects.listPublic(query)
      expect(total).toBeGreaterThanOrEqual(projects.length)
      return projects.map(({ title }) => title)
    }
    expect(await titlesOf({})).toEqual(['Zebra 9', 'ape', 'Zebra 10'])
    expect(await titlesOf({ sort: 'name' })).toEqual(['ape', 'Zebra 9', 'Zebra 10'])
    expect(await titlesOf({ sort: 'downloads' })).toEqual(['ape', 'Zebra 9', 'Zebra 10'])
    expect(await titlesOf({ sort: 'release' })).toEqual(['ape', 'Zebra 9', 'Zebra 10'])
    expect(await titlesOf({ sort: 'name', search: 'ZEBRA', limit: 1, offset: 1 })).toEqual([
      'Zebra 10',
    ])
    expect(await titlesOf({ platform: 'Android' })).toEqual(['ape'])
    expect(await titlesOf({ platform: 'Windows', sort: 'downloads' })).toEqual(['Zebra 9'])

    const page = await (await server.fetch('/browse?platform=Windows&sort=name&q=zebra')).text()
    expect([...page.matchAll(/<h3[^>]*><a[^>]*title="([^"]+)"/g)].map((it) => it[1])).toEqual([
      'Zebra 9',
    ])
    expect(page).toContain('<input type="hidden" name="platform" value="Windows"/>')
    expect(page).toContain('href="/browse?q=zebra&amp;sort=name"')
    expect((await server.fetch('/browse?platform=Amiga&sort=best')).status).toBe(200)
  })

  test('returns the public projects to everyone, newest first', async ({ server, alice }) => {
    const older = await aProject(server, alice, { title: 'Older', is_public: true })
    const newer = await aProject(server, alice, { title: 'Newer', is_public: true })
    await aProject(server, alice, { title: 'Private' })
    const toVisitors = { open_reports: null, role: null, can: ['read'] }

    expect(await replyOf(server.fetch('/api/projects'))).toEqual({
      status: 200,
      body: {
        success: true,
        projects: [
          { ...newer, ...toVisitors },
          { ...older, ...toVisitors },
        ],
        total: 2,
      },
    })
  })
})

describe('projects.mine', () => {
  test('returns own and shared projects, with the caller’s role in each', async ({
    server,
    alice,
    bob,
  }) => {
    await aProject(server, alice, { title: 'Hers' })
    const shared = await aProject(server, bob, { title: 'Shared' })
    await aProject(server, bob, { title: 'His', is_public: true })
    await server.as(bob).collaborators.add({ id: shared.slug, username: 'alice' })

    const { status, body } = await replyOf(server.fetchAs(alice)('/api/projects/my'))
    const { projects, ...rest } = body as {
      projects: { title: string; role: string; can: string[] }[]
    }

    expect([status, rest]).toEqual([200, { success: true, total: 2 }])
    expect(projects.map(({ title, role, can }) => [title, role, can])).toEqual([
      ['Shared', 'collaborator', ['read', 'testers', 'reports']],
      [
        'Hers',
        'owner',
        [
          'read',
          'update',
          'delete',
          'link',
          'unlink',
          'collaborate',
          'post',
          'testers',
          'reports',
          'webhooks',
        ],
      ],
    ])
  })
})

describe('projects.byId and projects.bySlug', () => {
  test('both accept id and slug, the slug in any case', async ({ server, alice, project }) => {
    for (const path of [
      project.project_id,
      'rocket',
      'ROCKET',
      `slug/${project.project_id}`,
      'slug/rocket',
    ]) {
      expect(await replyOf(server.fetchAs(alice)(`/api/projects/${path}`)), path).toEqual({
        status: 200,
        body: {
          success: true,
          project,
          ...(path.startsWith('slug/') && { page: expect.anything() }),
        },
      })
    }
  })

  test('a visitor sees public files of a public project', async ({ server, alice }) => {
    const project = await aProject(server, alice, { is_public: true })
    for (const [filename, is_public] of [
      ['1.apk', true],
      ['2.apk', false],
      ['3.apk', true],
    ] as const) {
      await aLink(server, alice, project, await aFile(server, alice, { filename, is_public }))
    }

    const seen = (await server.visitor().projects.bySlug({ slug: project.slug })).project

    expect(seen.downloads.map(({ filename, can }) => [filename, can])).toEqual([
      ['3.apk', ['read']],
      ['1.apk', ['read']],
    ])
    expect([seen.role, seen.can]).toEqual([null, ['read']])
  })

  test('a collaborator sees all files, the owner which of them to publish', async ({ server }) => {
    const [alice, carol] = [await aUser(server, 'alice'), await aUser(server, 'carol')]
    const project = await aProject(server, alice)
    await aLink(
      server,
      alice,
      project,
      await aFile(server, alice, { filename: 'public.apk', is_public: true }),
    )
    await aLink(server, alice, project, await aFile(server, alice, { filename: 'private.apk' }))
    await server.as(alice).collaborators.add({ id: project.slug, username: 'carol' })
    const linksFor = async (user: UserRecord) => {
      const { downloads } = (await server.as(user).projects.byId({ id: project.slug })).project
      return downloads.map(({ filename, is_public, can }) => [filename, is_public, can])
    }

    expect(await linksFor(carol)).toEqual([
      ['private.apk', false, ['read']],
      ['public.apk', true, ['read']],
    ])
    expect(await linksFor(alice)).toEqual([
      ['private.apk', false, ['read', 'unlink', 'publish', 'share']],
      ['public.apk', true, ['read', 'unlink', 'share']],
    ])
  })
})

test('the owner of a private project may do everything', async ({ server }) => {
  const [alice, carol] = [await aUser(server, 'alice'), await aUser(server, 'carol')]
  const { project_id: id } = await aProject(server, alice)
  const { projects, collaborators, posts, testers } = server.as(alice)
  await projects.link({ id, file_id: (await aFile(server, alice)).file_id })
  await collaborators.add({ id, username: carol.username })
  await posts.add({ id, content: 'News' })
  await testers.create({ id, name: 'Beta group' })
  await projects.history({ id })

  expect((await projects.update({ id, title: 'Mine' })).project).toMatchObject({
    title: 'Mine',
    total_files: 1,
  })
  await projects.remove({ id })
  expect((await projects.mine({})).total).toBe(0)
})
