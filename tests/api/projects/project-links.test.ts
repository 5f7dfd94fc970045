import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { aFile, aLink, aProject } from '../../support/world/factories'
import { json, problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { HOUR, SECOND } from '../../support/world/test-clock'
import type { UserRecord } from '../../../server/data/records/account-records'

const link = (server: TestServer, user: UserRecord, slug: string, fields: object) =>
  replyOf(server.fetchAs(user)(`/api/projects/${slug}/downloads`, json('POST', fields)))

/** The size of the library's logs, in bytes. */
async function logBytes({ inside, dataDir }: TestServer): Promise<number> {
  await inside.library.settled()
  const names = (await readdir(dataDir)).filter((name) => /^library\.\d+\.log$/.test(name))
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(dataDir, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

describe('projects.link', () => {
  test('offers a file on the project', async ({ server, clock, alice, project: { slug } }) => {
    const file = await aFile(server, alice, { filename: 'rocket.apk' })

    expect(
      await link(server, alice, slug, {
        file_id: file.file_id,
        version: '1.0',
        platform: 'Android',
      }),
    ).toEqual({
      status: 201,
      body: {
        success: true,
        download: {
          file_id: file.file_id,
          filename: 'rocket.apk',
          version: '1.0',
          platform: 'Android',
          release: { version: '1.0', channel: 'stable', state: 'published' },
          facts: null,
          icon_url: null,
          is_damaged: false,
          size: file.size,
          downloads: 0,
          added_at: clock.now().toISOString(),
          is_public: false,
          sha256: file.sha256,
          can: ['read', 'unlink', 'publish', 'share'],
        },
        warnings: [],
      },
    })
  })

  test('without version and platform, the version is the file’s own', async ({
    server,
    alice,
    project: { slug },
  }) => {
    for (const release of [{}, { version: '', platform: '' }, { version: null, platform: null }]) {
      const file = await aFile(server, alice, { filename: 'rocket-3.2.1.apk' })
      const { body } = await link(server, alice, slug, { file_id: file.file_id, ...release })
      expect(body).toMatchObject({ download: { version: '3.2.1', platform: null } })
    }
  })

  test('a file can be on several projects, once on each', async ({ server, alice }) => {
    const [one, two] = [await aProject(server, alice), await aProject(server, alice)]
    const { file_id } = await aFile(server, alice)

    expect(await link(server, alice, one.slug, { file_id })).toMatchObject({ status: 201 })
    expect(await link(server, alice, two.slug, { file_id })).toMatchObject({ status: 201 })
    expect(await link(server, alice, one.slug, { file_id })).toEqual(problem('taken', 'file_id'))
  })

  test('the second of two links at the same moment is too late', async ({
    server,
    alice,
    project: { slug },
  }) => {
    const { file_id } = await aFile(server, alice)

    const both = await Promise.all([
      link(server, alice, slug, { file_id }),
      link(server, alice, slug, { file_id }),
    ])

    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test('the newest link is first, also after the clock is set back', async ({
    server,
    clock,
    alice,
    project,
  }) => {
    const files = [
      await aFile(server, alice),
      await aFile(server, alice),
      await aFile(server, alice),
    ]
    const [first, second, third] = files.map(({ file_id }) => file_id)

    await server.as(alice).projects.linkMany({ id: project.slug, file_ids: [second!, first!] })
    clock.advance(-HOUR)
    await server.as(alice).projects.link({ id: project.slug, file_id: third! })

    const { downloads } = (await server.as(alice).projects.byId({ id: project.slug })).project
    expect(downloads.map(({ file_id }) => file_id)).toEqual([third, first, second])
    expect(downloads[0]?.added_at).toBe(clock.now().toISOString())
  })

  test('the project counts as updated when a file is linked or unlinked', async ({
    server,
    clock,
    alice,
    project,
  }) => {
    const file = await aFile(server, alice)
    const updatedAt = async () =>
      (await server.as(alice).projects.byId({ id: project.slug })).project.updated_at

    await aLink(server, alice, project, file)
    const linked = [await updatedAt(), clock.now().toISOString()]
    clock.advance(SECOND)
    await server.as(alice).projects.unlink({ id: project.slug, downloadId: file.file_id })
    const unlinked = [await updatedAt(), clock.now().toISOString()]
    clock.advance(SECOND)
    await server.as(alice).projects.update({ id: project.slug, title: 'Rover' })

    expect(linked[0]).toBe(linked[1])
    expect(unlinked[0]).toBe(unlinked[1])
    expect(await updatedAt()).toBe(clock.now().toISOString())
  })

  test('what visitors may not see does not count as an update for them', async ({
    server,
    clock,
    alice,
    bob,
    published,
  }) => {
    const { slug: id } = published
    const dates = async () => {
      const { project } = await server.visitor().projects.byId({ id })
      const { project: own } = await server.as(alice).projects.byId({ id })
      const preview = /preview\.png\?v=\w+/.exec(await (await server.fetch(`/p/${id}`)).text())?.[0]
      return { visitor: project.updated_at, preview, member: own.updated_at }
    }
    const before = await dates()
    clock.advance(SECOND)
    await server.as(alice).collaborators.add({ id, username: bob.username })
    await aLink(server, alice, published, await aFile(server, alice))
    expect(await dates()).toEqual({ ...before, member: clock.now().toISOString() })
    clock.advance(SECOND)
    await aLink(server, alice, published, await aFile(server, alice, { is_public: true }))

    const now = clock.now().toISOString()
    expect(await dates()).toEqual({
      visitor: now,
      preview: expect.not.stringMatching(before.preview!),
      member: now,
    })
  })

  test('costs the same few bytes on disk for any length of text and number of files', async ({
    server,
    alice,
  }) => {
    const project = await aProject(server, alice, { description: '中'.repeat(20_000) })
    const files = await Promise.all(Array.from({ length: 40 }, () => aFile(server, alice)))
    const costs: number[] = []
    for (const { file_id } of files) {
      const before = await logBytes(server)
      await server.as(alice).projects.link({ id: project.slug, file_id })
      costs.push((await logBytes(server)) - before)
    }
    const before = await logBytes(server)
    await server.as(alice).files.remove({ id: files[0]!.file_id })

    expect(Math.max(...costs)).toBeLessThan(600)
    expect((await logBytes(server)) - before).toBeLessThan(3000)
  })

  test('links own files only, neither public nor private files of other users', async ({
    server,
    alice,
    bob,
  }) => {
    const { slug } = await aProject(server, alice)
    const open = await aFile(server, bob, { is_public: true })
    const secret = await aFile(server, bob)

    expect(await link(server, alice, slug, { file_id: open.file_id })).toEqual(problem('forbidden'))
    expect(await link(server, alice, slug, { file_id: secret.file_id })).toEqual(
      problem('not_found'),
    )
  })
})

describe('projects.unlink', () => {
  test('removes the file from the project and keeps it', async ({ server, alice, project }) => {
    const [gone, kept] = [await aFile(server, alice), await aFile(server, alice)]
    for (const file of [gone, kept]) await aLink(server, alice, project, file)
    const unlink = () =>
      replyOf(
        server.fetchAs(alice)(`/api/projects/${project.slug}/downloads/${gone.file_id}`, {
          method: 'DELETE',
        }),
      )

    expect(await unlink()).toEqual({ status: 200, body: { success: true } })
    expect(await unlink()).toEqual(problem('not_found'))
    const { downloads } = (await server.as(alice).projects.byId({ id: project.slug })).project
    expect(downloads.map(({ file_id }) => file_id)).toEqual([kept.file_id])
    expect((await server.as(alice).files.info({ id: gone.file_id })).file).toEqual(gone)
  })
})
