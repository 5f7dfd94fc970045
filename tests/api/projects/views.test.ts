import { describe, expect } from 'vitest'
import { aFile, aLink, aProject, aUser } from '../../support/world/factories'
import { replyOf } from '../../support/network/reply'
import { PASSWORD } from '../../support/world/password'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { DAY, MINUTE } from '../../support/world/test-clock'
import type { UserRecord } from '../../../server/data/records/account-records'

const open = (server: TestServer, slug: string, browser: string, method = 'GET') =>
  server.fetch(`/api/projects/slug/${slug}`, { method, headers: { 'user-agent': browser } })

async function viewsOf(server: TestServer, owner: UserRecord, id: string): Promise<number> {
  return (await server.as(owner).projects.byId({ id })).project.stats.views
}

describe('a view of a public page', () => {
  test('counts once for each visitor within 30 minutes', async ({
    server,
    clock,
    alice,
    published: { slug },
  }) => {
    for (const browser of ['Firefox', 'Firefox', 'Chrome']) await open(server, slug, browser)
    expect(await viewsOf(server, alice, slug)).toBe(2)
    clock.advance(30 * MINUTE)
    await open(server, slug, 'Firefox')
    expect(await viewsOf(server, alice, slug)).toBe(3)
  })

  test('counts a signed-in user once', async ({ server, alice, bob, published: { slug } }) => {
    const { browser } = await server.signedIn(bob)

    for (const agent of ['Firefox', 'Chrome']) {
      await browser.fetch(`/api/projects/slug/${slug}`, { headers: { 'user-agent': agent } })
    }

    expect(await viewsOf(server, alice, slug)).toBe(1)
  })

  test('never counts the owner and collaborators', async ({ server }) => {
    const [alice, carol] = [await aUser(server, 'alice'), await aUser(server, 'carol')]
    const { slug } = await aProject(server, alice, { is_public: true })
    await server.as(alice).collaborators.add({ id: slug, username: 'carol' })

    await server.as(alice).projects.bySlug({ slug })
    await server.as(carol).projects.bySlug({ slug })

    expect(await viewsOf(server, alice, slug)).toBe(0)
  })

  test('is not counted by HEAD or other calls', async ({ server, alice, published: { slug } }) => {
    await open(server, slug, 'Firefox', 'HEAD')
    await server.visitor().projects.byId({ id: slug })
    await server.visitor().projects.listPublic({})
    await server.fetch(`/p/${slug}`)

    expect(await viewsOf(server, alice, slug)).toBe(0)
  })
})

describe('projects.history', () => {
  test('returns downloads and views by day, oldest first', async ({ server, clock, alice }) => {
    const project = await aProject(server, alice, { is_public: true })
    const file = await aFile(server, alice, { is_public: true })
    await aLink(server, alice, project, file)
    await open(server, project.slug, 'Firefox')
    clock.advance(2 * DAY)
    await open(server, project.slug, 'Firefox')
    await (
      await server.fetch(`/api/projects/${project.slug}/downloads/${file.file_id}/download`)
    ).text()

    expect(
      await replyOf(server.fetchAs(alice)(`/api/projects/${project.slug}/history?days=4`)),
    ).toEqual({
      status: 200,
      body: {
        success: true,
        days: [
          { date: '2030-01-01', downloads: 0, views: 0 },
          { date: '2030-01-02', downloads: 0, views: 1 },
          { date: '2030-01-03', downloads: 0, views: 0 },
          { date: '2030-01-04', downloads: 1, views: 1 },
        ],
        shares: [
          { by: 'referrer', value: '', name: null, days: [0, 1, 0, 1] },
          { by: 'version', value: '', name: null, days: [0, 0, 0, 1] },
          { by: 'platform', value: '', name: null, days: [0, 0, 0, 1] },
        ],
        from_bucket: false,
      },
    })
  })

  test('splits downloads by version and platform, views by host', async ({ server, alice }) => {
    const project = await aProject(server, alice, { is_public: true })
    const file = await aFile(server, alice, { is_public: true })
    const linked = {
      id: project.slug,
      file_id: file.file_id,
      version: '1.4:0',
      platform: 'Android',
    }
    await server.as(alice).projects.link(linked)
    for (const referrer of ['news.example', '[::1]']) {
      await open(server, `${project.slug}?referrer=${encodeURIComponent(referrer)}`, referrer)
    }
    await (
      await server.fetch(`/api/projects/${project.slug}/downloads/${file.file_id}/download`)
    ).text()

    const { shares } = await server.as(alice).projects.history({ id: project.slug, days: 1 })
    expect(shares.map(({ by, value, days }) => [by, value, ...days])).toEqual([
      ['referrer', 'news.example', 1],
      ['referrer', '[::1]', 1],
      ['version', '1.4:0', 1],
      ['platform', 'Android', 1],
    ])
  })

  test('is of 30 days unless the caller says', async ({ server, alice, project: { slug } }) => {
    expect((await server.as(alice).projects.history({ id: slug })).days).toHaveLength(30)
  })
})

describe('projects.news', () => {
  test('tells members what visitors and others did since yesterday', async ({
    server,
    clock,
    alice,
    bob,
  }) => {
    const project = await aProject(server, alice, { is_public: true, title: 'Rocket' })
    await server.as(alice).collaborators.add({ id: project.slug, username: 'bob' })
    const file = await aFile(server, alice, { is_public: true })
    await server
      .as(alice)
      .projects.link({ id: project.slug, file_id: file.file_id, version: '1.4' })
    await server.as(alice).posts.add({ id: project.slug, content: 'Hello' })
    await server.as(alice).posts.add({ id: project.slug, content: 'Hello again' })
    await (
      await server.fetch(`/api/projects/${project.slug}/downloads/${file.file_id}/download`)
    ).text()
    const ofProject = { project_id: project.project_id, title: 'Rocket' }
    const downloads = { kind: 'downloads', ...ofProject, version: '1.4', count: 1 }

    expect((await server.as(alice).projects.news({})).news).toEqual([downloads])
    expect((await server.as(bob).projects.news({})).news).toMatchObject([
      downloads,
      { kind: 'build', ...ofProject, username: 'alice', filename: file.filename },
      { kind: 'post', ...ofProject, username: 'alice', count: 2 },
    ])
    clock.advance(2 * DAY)
    expect((await server.as(alice).projects.news({})).news).toEqual([])
  })

  test('leaves out what a deleted account did', async ({ server, alice, bob }) => {
    const { slug: id } = await aProject(server, alice)
    await server.as(alice).collaborators.add({ id, username: 'bob', role: 'maintainer' })
    await aFile(server, bob, { project_id: id })
    const newsOf = async () => (await server.as(alice).projects.news({})).news
    expect(await newsOf()).toMatchObject([{ kind: 'build', username: 'bob' }])

    await (await server.signedIn(bob)).client.accounts.remove({ current_password: PASSWORD })

    expect(await newsOf()).toEqual([])
  })
})
