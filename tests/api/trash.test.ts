import { describe, expect } from 'vitest'
import { MB } from '../../server/contract'
import { aFile, aFullQuota, aLink, aPost, aProject, aUser } from '../support/factories'
import { keptBytes } from '../support/kept-bytes'
import { test } from '../support/test-server'
import { DAY, SECOND } from '../support/test-world'

describe('a deleted file', () => {
  test('cannot be reached, counts no longer, and is in the trash of its owner', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    const file = await aFile(server, alice, { filename: 'app.apk', bytes: 'bytes', is_public: true })

    await server.as(alice).files.remove({ id: file.file_id })

    await expect(server.as(alice).files.info({ id: file.file_id })).rejects.toMatchObject({ code: 'not_found' })
    expect((await server.as(alice).storage.stats({})).stats.used).toBe(0)
    const { items } = await server.as(alice).trash.list({})
    expect(items).toMatchObject([{ trash_id: file.file_id, kind: 'file', name: 'app.apk', size: 5 }])
  })

  test('comes back as it was, on its project too', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    const project = await aProject(server, alice, { is_public: true })
    const file = await aFile(server, alice, { bytes: 'the bytes', is_public: true })
    await aLink(server, alice, project, file, { version: '1.2.3', platform: 'android' })
    await server.as(alice).files.remove({ id: file.file_id })
    expect((await server.visitor().projects.bySlug({ slug: project.slug })).project.downloads).toEqual([])

    await server.as(alice).trash.restore({ id: file.file_id })

    const { downloads } = (await server.visitor().projects.bySlug({ slug: project.slug })).project
    expect(downloads).toMatchObject([{ file_id: file.file_id, version: '1.2.3', platform: 'android' }])
    expect(await (await server.fetch(`/api/files/${file.file_id}/download`)).text()).toBe('the bytes')
    expect((await server.as(alice).trash.list({})).total).toBe(0)
  })

  test('deleted for good, its bytes leave the disk at once', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    const file = await aFile(server, alice)
    await server.as(alice).files.remove({ id: file.file_id })
    expect((await keptBytes(server)).blobs).toBe(1)

    await server.as(alice).trash.remove({ id: file.file_id })

    expect((await keptBytes(server)).blobs).toBe(0)
    await expect(server.as(alice).trash.restore({ id: file.file_id })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('stays away when the quota has no room for it any more', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    const file = await aFile(server, alice, { bytes: 'the bytes' })
    await server.as(alice).files.remove({ id: file.file_id })
    await aFullQuota(server, alice, 8)

    const restoring = server.as(alice).trash.restore({ id: file.file_id })

    await expect(restoring).rejects.toMatchObject({ code: 'quota_exceeded' })
    expect((await server.as(alice).trash.list({})).total).toBe(1)
  })

  test('is nobody else’s to see, restore or delete', async ({ server }) => {
    const [alice, bob] = [await aUser(server, 'alice'), await aUser(server, 'bob')]
    const file = await aFile(server, alice)
    await server.as(alice).files.remove({ id: file.file_id })

    expect((await server.as(bob).trash.list({})).items).toEqual([])
    await expect(server.as(bob).trash.restore({ id: file.file_id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(server.as(bob).trash.remove({ id: file.file_id })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a deleted project', () => {
  test('comes back with its posts, collaborators and address', async ({ server }) => {
    const [alice, bob] = [await aUser(server, 'alice'), await aUser(server, 'bob')]
    const project = await aProject(server, alice, { title: 'Rocket', is_public: true })
    await server.as(alice).collaborators.add({ id: project.project_id, username: bob.username })
    await aPost(server, alice, project, 'First flight')
    await server.as(alice).projects.remove({ id: project.project_id })
    await expect(server.visitor().projects.bySlug({ slug: 'rocket' })).rejects.toMatchObject({ code: 'not_found' })

    await server.as(alice).trash.restore({ id: project.project_id })

    const { posts } = await server.visitor().feed.list({ id: 'rocket' })
    expect(posts.map((post) => post.content)).toEqual(['First flight'])
    expect((await server.as(bob).projects.mine({})).projects).toMatchObject([{ slug: 'rocket', role: 'collaborator' }])
  })

  test('gets another address where its own was taken meanwhile', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    const first = await aProject(server, alice, { title: 'Rocket' })
    await server.as(alice).projects.remove({ id: first.project_id })
    await aProject(server, alice, { title: 'Rocket' })

    await server.as(alice).trash.restore({ id: first.project_id })

    expect((await server.as(alice).projects.byId({ id: first.project_id })).project.slug).toBe('rocket-2')
  })
})

describe('housekeeping of the trash', () => {
  test('deletes after 7 days, and nothing before', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    const file = await aFile(server, alice)
    const kept = await aFile(server, alice)
    await server.as(alice).files.remove({ id: file.file_id })

    server.world.advance(7 * DAY - SECOND)
    await server.context.trash.sweep()
    expect((await server.as(alice).trash.list({})).total).toBe(1)

    server.world.advance(SECOND)
    await server.context.trash.sweep()
    expect((await server.as(alice).trash.list({})).total).toBe(0)
    expect((await keptBytes(server)).blobs).toBe(1)
    expect((await server.as(alice).files.info({ id: kept.file_id })).file.file_id).toBe(kept.file_id)
  })

  test('deletes the oldest first when a trash outgrows the quota', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    for (const filename of ['old.bin', 'new.bin']) {
      const file = await aFile(server, alice, { filename, bytes: new Uint8Array(60 * MB) })
      await server.as(alice).files.remove({ id: file.file_id })
    }

    await server.context.trash.sweep()

    expect((await server.as(alice).trash.list({})).items.map(({ name }) => name)).toEqual(['new.bin'])
  })
})
