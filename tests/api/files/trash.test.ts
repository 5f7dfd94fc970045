import { describe, expect } from 'vitest'
import { MB } from '../../../server/contract'
import { verify } from '../../../server/data/repair/verify'
import { aFile, aLink, aPost, aProject, aUser, aHollowFile } from '../../support/world/factories'
import { keptBytes } from '../../support/kept-bytes'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { DAY, SECOND } from '../../support/world/test-clock'
import type { UserRecord } from '../../../server/data/records/account-records'

describe('a deleted file', () => {
  test('comes back as it was, on its project', async ({ server, alice, published: project }) => {
    const file = await aFile(server, alice, { bytes: 'the bytes', is_public: true })
    await aLink(server, alice, project, file, { version: '1.2.3', platform: 'android' })
    await server.as(alice).files.remove({ id: file.file_id })
    expect(
      (await server.visitor().projects.bySlug({ slug: project.slug })).project.downloads,
    ).toEqual([])

    await server.as(alice).trash.restore({ id: file.file_id })

    const { downloads } = (await server.visitor().projects.bySlug({ slug: project.slug })).project
    expect(downloads).toMatchObject([
      { file_id: file.file_id, version: '1.2.3', platform: 'android' },
    ])
    expect(await (await server.fetch(`/api/files/${file.file_id}/download`)).text()).toBe(
      'the bytes',
    )
    expect((await server.as(alice).trash.list({})).total).toBe(0)
  })

  test('deleted permanently, its bytes leave the disk at once', async ({ server, alice }) => {
    const file = await aFile(server, alice)
    await server.as(alice).files.remove({ id: file.file_id })
    expect((await keptBytes(server)).blobs).toBe(1)

    await server.as(alice).trash.remove({ id: file.file_id })

    expect((await keptBytes(server)).blobs).toBe(0)
    await expect(server.as(alice).trash.restore({ id: file.file_id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('deleted for good, its downloads are forgotten', async ({ server, alice, project }) => {
    const file = await aFile(server, alice, { is_public: true })
    const { file_id: id } = file
    await aLink(server, alice, project, file)
    server.inside.counts.downloaded('a visitor', id, { projectId: project.project_id })
    const ofFile = () =>
      [...server.inside.library.counterNames()].filter((name) => name.includes(id))
    expect(ofFile()).toHaveLength(2)
    await server.as(alice).files.remove({ id })
    await server.as(alice).trash.remove({ id })

    expect(ofFile()).toEqual([])
  })
})

describe('a deleted project', () => {
  test('comes back with its posts, collaborators and address', async ({
    server,
    alice,
    bob,
    published: project,
  }) => {
    await server.as(alice).collaborators.add({ id: project.project_id, username: bob.username })
    await aPost(server, alice, project, 'First flight')
    await server.as(alice).projects.remove({ id: project.project_id })
    await expect(server.visitor().projects.bySlug({ slug: 'rocket' })).rejects.toMatchObject({
      code: 'not_found',
    })

    await server.as(alice).trash.restore({ id: project.project_id })

    const { posts } = await server.visitor().posts.list({ id: 'rocket' })
    expect(posts.map((post) => post.content)).toEqual(['First flight'])
    expect((await server.as(bob).projects.mine({})).projects).toMatchObject([
      { slug: 'rocket', role: 'collaborator' },
    ])
  })

  test('is restored with its files in order, also one deleted and restored in between', async ({
    server,
    alice,
  }) => {
    const project = await aProject(server, alice)
    const files = [
      await aFile(server, alice),
      await aFile(server, alice),
      await aFile(server, alice),
    ]
    for (const [n, file] of files.entries())
      await aLink(server, alice, project, file, { version: `${n}.0` })
    const [kept, back, gone] = files.map(({ file_id }) => file_id)
    const before = (await server.as(alice).projects.byId({ id: project.slug })).project.downloads
    await server.as(alice).projects.remove({ id: project.slug })
    for (const id of [back!, gone!]) await server.as(alice).files.remove({ id })

    await server.as(alice).trash.restore({ id: project.project_id })
    const without = (await server.as(alice).projects.byId({ id: project.slug })).project.downloads
    await server.as(alice).trash.restore({ id: back! })
    await server.as(alice).trash.remove({ id: gone! })

    expect(without.map(({ file_id }) => file_id)).toEqual([kept])
    const after = (await server.as(alice).projects.byId({ id: project.slug })).project.downloads
    expect(after).toEqual(before.filter(({ file_id }) => file_id !== gone))
    expect((await verify(server.dataDir, { readData: true, ...server.stored })).problems).toEqual(
      [],
    )
  })

  test('comes back without a file of another owner', async ({ server, alice, bob, project }) => {
    const own = await aProject(server, bob)
    const file = await aFile(server, bob)
    await aLink(server, bob, own, file)
    await server.as(bob).projects.remove({ id: own.project_id })
    await server
      .as(alice)
      .collaborators.add({ id: project.slug, username: 'bob', role: 'maintainer' })
    await server.as(bob).projects.link({ id: project.slug, file_id: file.file_id })

    await server.as(bob).trash.restore({ id: own.project_id })
    expect((await server.as(bob).projects.byId({ id: own.project_id })).project.total_files).toBe(0)
    await server.as(bob).projects.remove({ id: own.project_id })
    await server.as(alice).files.remove({ id: file.file_id })
    await server.as(bob).trash.restore({ id: own.project_id })
    await server.as(alice).trash.restore({ id: file.file_id })
    expect((await server.as(bob).projects.byId({ id: own.project_id })).project.total_files).toBe(0)
  })

  test('deleted for good, nothing of its links is left', async ({ server, alice, project }) => {
    await aLink(server, alice, project, await aFile(server, alice))
    await server.as(alice).projects.remove({ id: project.slug })
    await server.as(alice).trash.remove({ id: project.project_id })

    const { data } = await server.readLibrary(server.dataDir)
    expect(data.collections.links.size).toBe(0)
    expect([...data.counters.keys()].filter((name) => name.startsWith('project:'))).toEqual([])
  })
})

describe('housekeeping of the trash', () => {
  test('deletes after 7 days, and nothing before', async ({ server, alice }) => {
    const file = await aFile(server, alice)
    const kept = await aFile(server, alice)
    await server.as(alice).files.remove({ id: file.file_id })

    server.clock.advance(7 * DAY - SECOND)
    await server.inside.trash.sweep()
    expect((await server.as(alice).trash.list({})).total).toBe(1)

    server.clock.advance(SECOND)
    await server.inside.trash.sweep()
    expect((await server.as(alice).trash.list({})).total).toBe(0)
    expect((await keptBytes(server)).blobs).toBe(1)
    expect((await server.as(alice).files.info({ id: kept.file_id })).file.file_id).toBe(
      kept.file_id,
    )
  })

  test('deletes what a lower tier has no room for, oldest first', async ({ server }) => {
    const alice = await aUser(server, 'alice', { tier: 'Basic' })
    for (const filename of ['oldest.bin', 'old.bin', 'new.bin'])
      await inTrash(server, alice, filename, 60 * MB)

    await server.inside.users.change(alice.id, { tier: 'Free' })
    await server.inside.trash.sweep()

    expect(await namesIn(server, alice)).toEqual(['new.bin'])
  })

  test('keeps what was deleted last, also where it alone is too large', async ({ server }) => {
    const alice = await aUser(server, 'alice', { tier: 'Basic' })
    for (const [filename, size] of [['old.bin', MB] as const, ['large.bin', 500 * MB] as const]) {
      await inTrash(server, alice, filename, size)
      server.clock.advance(SECOND)
    }
    await server.inside.users.change(alice.id, { tier: 'Free' })
    await server.inside.trash.sweep()
    expect(await namesIn(server, alice)).toEqual(['large.bin'])
  })
})

describe('a trash that is full', () => {
  test('evicts the oldest at once, with its bytes, and never holds more than the quota', async ({
    server,
    alice,
  }) => {
    await inTrash(server, alice, '0.bin', 0)
    for (const filename of ['1.bin', '2.bin', '3.bin', '4.bin'])
      await inTrash(server, alice, filename, 30 * MB)

    expect(await namesIn(server, alice)).toEqual(['4.bin', '3.bin', '2.bin'])
    expect(server.inside.trash.bytes).toBe(90 * MB)
    expect((await server.as(alice).storage.stats({})).stats.used).toBe(0)
  })

  test('frees the bytes on disk with the delete, not later', async ({ server, alice }) => {
    const real = await aFile(server, alice, { bytes: new Uint8Array(MB) })
    await server.as(alice).files.remove({ id: real.file_id })
    expect((await keptBytes(server)).blobs).toBe(1)

    await inTrash(server, alice, 'large.bin', 99.5 * MB)

    expect((await keptBytes(server)).blobs).toBe(0)
  })

  test('is that of its owner alone, and keeps what was deleted last', async ({ server }) => {
    const [alice, bob] = [
      await aUser(server, 'alice'),
      await aUser(server, 'bob', { tier: 'Basic' }),
    ]
    await inTrash(server, alice, 'alices.bin', 90 * MB)
    await inTrash(server, bob, 'first.bin', 10 * MB)
    const last = await aHollowFile(server, bob, { filename: 'last.bin', size: 500 * MB })
    await server.inside.users.change(bob.id, { tier: 'Free' })

    await server.as(bob).files.remove({ id: last })

    expect(await namesIn(server, bob)).toEqual(['last.bin'])
    expect(await namesIn(server, alice)).toEqual(['alices.bin'])
  })

  test('stays within the quota when many files are deleted at once', async ({ server }) => {
    const alice = await aUser(server, 'alice', { tier: 'Basic' })
    const ids = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        aHollowFile(server, alice, { filename: `${n}.bin`, size: 9 * MB }),
      ),
    )
    await server.inside.users.change(alice.id, { tier: 'Free' })

    await Promise.all(ids.map((id) => server.as(alice).files.remove({ id })))

    expect(server.inside.trash.bytes).toBe(99 * MB)
    expect((await server.as(alice).trash.list({})).total).toBe(11)
  })
})

async function inTrash(
  server: TestServer,
  owner: UserRecord,
  filename: string,
  size: number,
): Promise<void> {
  await server.as(owner).files.remove({ id: await aHollowFile(server, owner, { filename, size }) })
}

const namesIn = async (server: TestServer, owner: UserRecord) =>
  (await server.as(owner).trash.list({})).items.map(({ name }) => name)
