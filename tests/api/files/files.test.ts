import { describe, expect } from 'vitest'
import { aFile, aLink, aProject, aUser } from '../../support/world/factories'
import { json, problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'

const namesOf = ({ files }: { files: { filename: string }[] }) =>
  files.map(({ filename }) => filename)

describe('files.mine', () => {
  test('returns the caller’s files, newest first', async ({ server, alice, bob }) => {
    const older = await aFile(server, alice, { filename: 'older.txt' })
    const newer = await aFile(server, alice, { filename: 'newer.txt', is_public: true })
    await aFile(server, bob, { is_public: true })

    expect(await replyOf(server.fetchAs(alice)('/api/files/my-files'))).toEqual({
      status: 200,
      body: { success: true, files: [newer, older], total: 2 },
    })
  })

  test('has all, public or private files, and finds by a part of the name, in any case', async ({
    server,
    alice,
  }) => {
    await aFile(server, alice, { filename: 'public.txt', is_public: true })
    await aFile(server, alice, { filename: 'private.txt' })
    const { mine } = server.as(alice).files

    expect(namesOf(await mine({ visibility: 'all' }))).toEqual(['private.txt', 'public.txt'])
    expect(namesOf(await mine({ visibility: 'public' }))).toEqual(['public.txt'])
    expect(namesOf(await mine({ visibility: 'private' }))).toEqual(['private.txt'])
    expect(namesOf(await mine({ search: 'PUB' }))).toEqual(['public.txt'])
  })

  test('sorts by name and size, and narrows to a project', async ({ server, alice }) => {
    const { files } = server.as(alice)
    const project = await aProject(server, alice, { title: 'Rocket' })
    const large = await aFile(server, alice, { filename: 'b.apk', bytes: 'four' })
    await aFile(server, alice, { filename: 'C.txt', bytes: 'six six' })
    await aFile(server, alice, { filename: 'a.txt', bytes: 'x' })
    await aLink(server, alice, project, large, { version: '1.4' })

    expect(namesOf(await files.mine({ sort: 'name' }))).toEqual(['a.txt', 'b.apk', 'C.txt'])
    expect(namesOf(await files.mine({ sort: 'name_desc', search: 'txt' }))).toEqual([
      'C.txt',
      'a.txt',
    ])
    expect(namesOf(await files.mine({ sort: 'largest' }))).toEqual(['C.txt', 'b.apk', 'a.txt'])
    expect(namesOf(await files.mine({ sort: 'oldest' }))).toEqual(['b.apk', 'C.txt', 'a.txt'])
    for (const project_id of [project.project_id, project.slug]) {
      const within = await files.mine({ project_id })
      expect(within.files.map(({ projects }) => projects)).toEqual([
        [{ project_id: project.project_id, title: 'Rocket', version: '1.4' }],
      ])
    }
    expect(await files.mine({ project_id: 'nowhere' })).toMatchObject({ files: [], total: 0 })
  })
})

describe('files.listPublic', () => {
  test('returns everyone’s public files to everyone, newest first, with their owners', async ({
    server,
    alice,
    bob,
  }) => {
    const hers = await aFile(server, alice, { filename: 'hers.txt', is_public: true })
    const his = await aFile(server, bob, { filename: 'his.txt', is_public: true })
    await aFile(server, bob, { filename: 'secret.txt' })

    expect(await replyOf(server.fetch('/api/files/public'))).toEqual({
      status: 200,
      body: {
        success: true,
        files: [
          { ...his, can: ['read'] },
          { ...hers, can: ['read'] },
        ],
        total: 2,
      },
    })
  })

  test('finds by filename and by owner', async ({ server, alice, bob }) => {
    await aFile(server, alice, { filename: 'one.txt', is_public: true })
    await aFile(server, bob, { filename: 'two.txt', is_public: true })

    expect(namesOf(await server.visitor().files.listPublic({ search: 'ONE' }))).toEqual(['one.txt'])
    expect(namesOf(await server.visitor().files.listPublic({ search: 'bob' }))).toEqual(['two.txt'])
    expect(namesOf(await server.visitor().files.listPublic({ search: 'three' }))).toEqual([])
  })
})

describe('files.info', () => {
  test('returns a public file to a visitor', async ({ server }) => {
    const file = await aFile(server, await aUser(server, 'alice'), { is_public: true })

    expect(await replyOf(server.fetch(`/api/files/${file.file_id}`))).toEqual({
      status: 200,
      body: { success: true, file: { ...file, can: ['read'] } },
    })
  })

  test('returns a private file to its owner and collaborators only', async ({ server }) => {
    const [alice, carol] = [await aUser(server, 'alice'), await aUser(server, 'carol')]
    const file = await aFile(server, alice)
    const project = await aProject(server, alice)
    await aLink(server, alice, project, file)
    await server.as(alice).collaborators.add({ id: project.slug, username: 'carol' })

    expect((await server.as(alice).files.info({ id: file.file_id })).file.can).toEqual([
      'read',
      'publish',
      'update',
      'share',
      'delete',
    ])
    expect((await server.as(carol).files.info({ id: file.file_id })).file.can).toEqual(['read'])
  })
})

describe('files.setVisibility', () => {
  test('makes a file public, and private again', async ({ server, alice }) => {
    const file = await aFile(server, alice)
    const set = (is_public: boolean) =>
      replyOf(
        server.fetchAs(alice)(`/api/files/${file.file_id}/visibility`, json('PUT', { is_public })),
      )

    expect(await set(true)).toEqual({
      status: 200,
      body: { success: true, file: { ...file, is_public: true, visibility: 'public' } },
    })
    expect(await set(false)).toEqual({ status: 200, body: { success: true, file } })
  })
})

describe('files.remove', () => {
  test('removes the file from its owner’s list, its projects and all public lists', async ({
    server,
    alice,
  }) => {
    const file = await aFile(server, alice, { is_public: true })
    const project = await aProject(server, alice)
    await aLink(server, alice, project, file)
    const usedBefore = (await server.as(alice).storage.stats({})).stats.used

    expect(
      await replyOf(server.fetchAs(alice)(`/api/files/${file.file_id}`, { method: 'DELETE' })),
    ).toEqual({
      status: 200,
      body: { success: true },
    })
    expect((await server.as(alice).files.mine({})).files).toEqual([])
    expect((await server.as(alice).projects.byId({ id: project.slug })).project.downloads).toEqual(
      [],
    )
    expect((await server.as(alice).storage.stats({})).stats.used).toBe(usedBefore - file.size)
    for (const path of ['', '/download']) {
      expect(await replyOf(server.fetchAs(alice)(`/api/files/${file.file_id}${path}`))).toEqual(
        problem('not_found'),
      )
    }
  })
})
