import { describe, expect } from 'vitest'
import { aFile, aProject, aReleasedFile, aUser } from '../../support/world/factories'
import { refusal } from '../../support/network/reply'
import { test } from '../../support/world/http'

describe('releases.remove', () => {
  test('deletes a release without files, keeps one with files', async ({ server, alice, id }) => {
    const { releases, projects } = server.as(alice)
    const file = await aReleasedFile(server, alice, id, '1.0')
    await releases.update({ id, version: '1.0', notes: 'Faster' })

    await expect(releases.remove({ id, version: '1.0' })).rejects.toMatchObject({
      ...refusal('in_use'),
      message: 'The release 1.0 has 1 file. Remove them from the project first',
    })
    await projects.unlink({ id, downloadId: file.file_id })
    await releases.remove({ id, version: '1.0' })

    expect((await releases.list({ id })).releases).toEqual([])
    await expect(releases.remove({ id, version: '1.0' })).rejects.toMatchObject(
      refusal('not_found'),
    )
  })
})

describe('releases.update', () => {
  test('changes what it names, and keeps the rest', async ({ server, alice, id }) => {
    await aReleasedFile(server, alice, id, '1.0 beta/2')
    const at = { id, version: '1.0 beta/2' }
    const { update } = server.as(alice).releases

    expect((await update({ ...at, notes: '**Faster**' })).release).toMatchObject({
      notes: '**Faster**',
      channel: 'beta',
    })
    expect((await update({ ...at, channel: 'nightly', state: 'draft' })).release).toMatchObject({
      ...{ notes: '**Faster**', channel: 'nightly', state: 'draft', total_files: 1 },
    })
    expect((await server.visitor().releases.list({ id })).total).toBe(0)
  })
})

describe('releases.promote', () => {
  test('moves a release to stable or another channel', async ({ server, alice, id }) => {
    await aReleasedFile(server, alice, id, '1.0-rc.1')
    const at = { id, version: '1.0-rc.1' }
    const { promote } = server.as(alice).releases

    expect((await promote(at)).release.channel).toBe('stable')
    expect((await promote({ ...at, channel: 'early-birds' })).release.channel).toBe('early-birds')
  })

  test('makes private files public too, but for those of others', async ({ server, alice, id }) => {
    const mia = await aUser(server, 'mia')
    await server.as(alice).collaborators.add({ id, username: 'mia', role: 'maintainer' })
    const at = { id, version: '1.0-rc.1' }
    const own = await aFile(server, alice, { filename: 'own.apk' })
    await server.as(alice).projects.link({ id, file_id: own.file_id, version: '1.0-rc.1' })
    const file = await aFile(server, mia, {
      filename: 'a.apk',
      project_id: id,
      version: at.version,
    })
    const { promote, withdraw, publish } = server.as(mia).releases
    const newest = async () => (await server.visitor().releases.list({ id })).releases[0]?.files

    expect((await promote(at)).made_public).toEqual([])
    const { release, made_public } = await promote({ ...at, make_public: true })

    expect(made_public).toEqual([file.file_id])
    expect(release.files.map((it) => [it.filename, it.is_public])).toEqual([
      ['a.apk', true],
      ['own.apk', false],
    ])
    expect((await newest())?.map(({ filename }) => filename)).toEqual(['a.apk'])
    await withdraw(at)
    expect(
      (await server.as(alice).releases.publish({ ...at, make_public: true })).made_public,
    ).toEqual([own.file_id])
    expect((await publish({ ...at, make_public: true })).made_public).toEqual([])
    const { events } = await server.inside.audit.page({ limit: 20, userId: mia.id })
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'file_visibility', subject: 'a.apk', detail: 'public' }),
    )
  })

  test('promotion and withdrawal at once both apply', async ({ server, alice, id }) => {
    const host = (await server.atWindow(await aUser(server, 'host', { isHost: true }))).client
    await aReleasedFile(server, alice, id, '1.0-rc.1')
    const at = { id, version: '1.0-rc.1' }
    const { promote, withdraw, update } = server.as(alice).releases

    const replies = await Promise.all([
      promote(at),
      withdraw(at),
      update({ ...at, notes: 'Faster' }),
    ])

    // Each reply is the release after some of the changes, never without its own.
    expect(replies.map(({ release }) => [release.channel, release.state, release.notes])).toEqual([
      ['stable', expect.any(String), expect.any(String)],
      [expect.any(String), 'withdrawn', expect.any(String)],
      [expect.any(String), expect.any(String), 'Faster'],
    ])
    const [after] = (await server.as(alice).releases.list({ id })).releases
    expect(after).toMatchObject({ channel: 'stable', state: 'withdrawn', notes: 'Faster' })
    expect((await server.fetch(`/p/${id}/releases/1.0-rc.1/rocket.apk`)).status).toBe(404)
    const { events } = await host.audit.list({})
    const told = events
      .filter(({ kind }) => kind.startsWith('release_'))
      .map(({ kind, detail }) => [kind, detail])
    expect(told.sort()).toEqual([
      ['release_change', 'Rocket'],
      ['release_promote', 'Rocket: beta → stable'],
      ['release_withdraw', 'Rocket'],
    ])
  })

  test('is for keys with the scope to manage, bound ones too', async ({ server, alice, id }) => {
    const project = server.inside.projects.find(id)!
    await aReleasedFile(server, alice, id, '1.0')
    const { apiKeys } = server.inside
    const statusWith = async (
      scopes: ('read' | 'upload' | 'manage')[],
      projectId: string,
      call: string,
    ) => {
      const { key } = await apiKeys.create(alice.id, 'CI', null, { scopes, projectId })
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const body = JSON.stringify({ version: `3.${scopes.join('')}` })
      return (
        await server.fetch(`/api/projects/${id}/releases${call}`, { method: 'POST', headers, body })
      ).status
    }
    const other = await aProject(server, alice, { title: 'Other' })

    expect(await statusWith(['manage'], project.id, '/1.0/promote')).toBe(200)
    expect(await statusWith(['upload'], project.id, '/1.0/promote')).toBe(403)
    expect(await statusWith(['manage'], other.project_id, '/1.0/promote')).toBe(403)
    expect(await statusWith(['upload'], project.id, '')).toBe(201)
    expect(await statusWith(['manage'], project.id, '')).toBe(403)
  })
})

describe('releases.withdraw', () => {
  test('withdrawing and publishing undo each other, and keep the time of publishing', async ({
    server,
    alice,
    id,
  }) => {
    await aReleasedFile(server, alice, id, '1.0')
    const { withdraw, publish, list } = server.as(alice).releases
    const [before] = (await list({ id })).releases
    server.clock.advance(1000)
    await withdraw({ id, version: '1.0' })
    const { release } = await publish({ id, version: '1.0' })

    expect(release).toEqual(before)
  })
})

describe('releases.publish', () => {
  test('publishes a draft, with the time', async ({ server, alice, id }) => {
    const { create, publish } = server.as(alice).releases
    const { release: draft } = await create({ id, version: '1.0', state: 'draft' })
    server.clock.advance(1000)
    const { release } = await publish({ id, version: '1.0' })

    expect(draft.published_at).toBeNull()
    expect(release).toMatchObject({
      state: 'published',
      published_at: server.clock.now().toISOString(),
    })
  })
})

test('the audit log names each change of a release', async ({ server, alice, id }) => {
  const host = (await server.atWindow(await aUser(server, 'host', { isHost: true }))).client
  const at = { id, version: '1.0-rc.1' }
  const { create, promote, withdraw, publish, update, remove } = server.as(alice).releases
  await create(at)
  await update({ ...at, notes: 'Faster' })
  await promote(at)
  await withdraw(at)
  await publish(at)
  await publish(at)
  await remove(at)

  const { events } = await host.audit.list({})
  expect(events.slice(0, 6).map(({ kind, subject, detail }) => [kind, subject, detail])).toEqual([
    ['release_delete', '1.0-rc.1', 'Rocket'],
    ['release_publish', '1.0-rc.1', 'Rocket'],
    ['release_withdraw', '1.0-rc.1', 'Rocket'],
    ['release_promote', '1.0-rc.1', 'Rocket: beta → stable'],
    ['release_change', '1.0-rc.1', 'Rocket'],
    ['release_create', '1.0-rc.1', 'Rocket'],
  ])
})
