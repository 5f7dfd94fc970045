import { describe, expect } from 'vitest'
import { aFile, aFullQuota, aLink, aProject, aUser } from '../../support/world/factories'
import { refusal, replyOf } from '../../support/network/reply'
import { test as base } from '../../support/world/http'
import { onceStored } from '../../support/world/upload'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

/** Alice's public project, with mia as a maintainer. */
const test = base.extend<{ mia: UserRecord; id: string }>({
  mia: async ({ server }, use) => use(await aUser(server, 'mia')),
  id: async ({ server, alice, mia }, use) => {
    const { slug } = await aProject(server, alice, { is_public: true })
    await server
      .as(alice)
      .collaborators.add({ id: slug, username: mia.username, role: 'maintainer' })
    await use(slug)
  },
})

const used = async (server: TestServer, user: UserRecord) =>
  (await server.as(user).storage.stats({})).stats.used

const setRole = (
  server: TestServer,
  owner: UserRecord,
  id: string,
  role: 'maintainer' | 'collaborator',
) => server.as(owner).collaborators.change({ id, collaboratorId: 'mia', role })

/** Starts a resumable upload to a project. Returns how to send its bytes. */
async function begin(server: TestServer, user: UserRecord, id: string, size: number) {
  const tus = { 'tus-resumable': '1.0.0' }
  const metadata = `filename ${btoa('rocket.apk')},project_id ${btoa(id)},version ${btoa('1.0')}`
  const headers = { ...tus, 'upload-length': String(size), 'upload-metadata': metadata }
  const created = await server.fetchAs(user)('/api/uploads', { method: 'POST', headers })
  const path = created.headers.get('location') ?? ''
  const send = (bytes: string, offset = 0) => {
    const turn = {
      ...tus,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    }
    return server.fetchAs(user)(path, { method: 'PATCH', headers: turn, body: bytes })
  }
  return { status: created.status, path, send }
}

describe('a maintainer', () => {
  test('publishes, promotes and withdraws the owner’s releases', async ({
    server,
    alice,
    mia,
    id,
  }) => {
    const file = await aFile(server, mia, {
      filename: 'rocket.apk',
      project_id: id,
      version: '1.0',
      is_public: true,
    })
    expect([file.owner, file.can]).toEqual(['alice', ['read', 'publish']])
    const { releases, projects } = server.as(mia)
    await releases.create({ id, version: '1.1', state: 'draft', notes: 'Soon' })
    await releases.update({ id, version: '1.1', notes: 'Now' })
    await releases.publish({ id, version: '1.1' })
    await releases.promote({ id, version: '1.0', channel: 'beta' })

    const { release } = await releases.withdraw({ id, version: '1.0' })
    expect(release).toMatchObject({ channel: 'beta', state: 'withdrawn', can: ['read', 'update'] })
    expect((await projects.byId({ id })).project).toMatchObject({
      role: 'maintainer',
      can: ['read', 'link', 'unlink', 'testers', 'reports'],
    })
    expect((await server.as(alice).projects.news({})).news).toMatchObject([
      { kind: 'build', username: 'mia' },
    ])
    const { events } = await server.inside.audit.page({ limit: 4, userId: mia.id })
    expect(events.map(({ kind, username }) => [kind, username])).toEqual([
      ['release_withdraw', 'mia'],
      ['release_promote', 'mia'],
      ['release_publish', 'mia'],
      ['release_change', 'mia'],
    ])

    await projects.unlink({ id, downloadId: file.file_id })
    expect((await projects.byId({ id })).project.total_files).toBe(0)
    expect((await server.as(alice).files.info({ id: file.file_id })).file.can).toContain('delete')
  })

  test('uses the owner’s storage, by form and resumably', async ({ server, alice, mia, id }) => {
    const before = await used(server, alice)
    await aFile(server, mia, { filename: 'a.apk', bytes: '12345', project_id: id })
    const { send } = await begin(server, mia, id, 7)
    await send('1234567')

    expect([(await used(server, alice)) - before, await used(server, mia)]).toEqual([12, 0])
  })

  test('gets the reason when the owner’s storage is full', async ({ server, alice, mia, id }) => {
    await aFullQuota(server, alice, (await used(server, alice)) + 4)
    const own = await aFile(server, mia, { filename: 'own.apk', bytes: '12345' })

    const body = new FormData()
    body.append('file', new File(['12345'], 'a.apk'))
    const upload = server.fetchAs(mia)(`/api/files/upload?project_id=${id}`, {
      method: 'POST',
      body,
    })
    const error = expect.stringContaining('Ask them to make room')
    expect(await replyOf(upload)).toMatchObject({ status: 403, body: { error } })
    expect((await begin(server, mia, id, 5)).status).toBe(403)
    await expect(server.as(mia).projects.link({ id, file_id: own.file_id })).rejects.toThrow(
      'Ask them to make room',
    )
  })

  test('hands over a file that no other project has', async ({ server, alice, mia, id }) => {
    const [own, shared] = [
      await aFile(server, mia),
      await aFile(server, mia, { filename: 'shared.apk' }),
    ]
    const mine = await aProject(server, mia, { title: 'Mine' })
    await aLink(server, mia, mine, shared)
    const { projects, files } = server.as(mia)

    await projects.link({ id, file_id: own.file_id })
    expect((await files.info({ id: own.file_id })).file).toMatchObject({
      owner: 'alice',
      can: ['read', 'publish'],
    })
    await expect(projects.link({ id, file_id: shared.file_id })).rejects.toMatchObject({
      code: 'in_use',
    })
    expect((await files.mine({})).files.map(({ filename }) => filename)).toEqual(['shared.apk'])
    expect((await server.as(alice).files.mine({})).files.map(({ filename }) => filename)).toEqual([
      'notes.txt',
    ])
  })

  test('decides who sees what maintainers added, and nothing of the owner', async ({
    server,
    alice,
    mia,
    id,
  }) => {
    const hers = await aFile(server, alice, {
      filename: 'hers.apk',
      project_id: id,
      version: '1.0',
    })
    const added = await aFile(server, mia, {
      filename: 'added.apk',
      project_id: id,
      version: '1.0',
    })
    const { files } = server.as(mia)

    await files.setVisibility({ id: added.file_id, is_public: true })
    await expect(files.setVisibility({ id: hers.file_id, is_public: true })).rejects.toMatchObject({
      status: 403,
    })
    const { release } = await server.visitor().releases.byVersion({ id, version: '1.0' })
    expect(release.files.map(({ filename }) => filename)).toEqual(['added.apk'])
    await setRole(server, alice, id, 'collaborator')
    await expect(
      files.setVisibility({ id: added.file_id, is_public: false }),
    ).rejects.toMatchObject({ status: 403 })
  })

  test('releases with their own key, bound to the project', async ({ server, mia, id }) => {
    const { api_key } = await (
      await server.signedIn(mia)
    ).client.apiKeys.create({
      name: 'CI',
      project_id: id,
      scopes: ['read', 'upload', 'manage'],
    })
    const headers = { 'x-api-key': api_key }
    const put = (name: string) =>
      server.fetch(`/api/files/upload/${name}?version=1.0`, { method: 'PUT', headers, body: 'x' })

    expect((await put('rocket.apk')).status).toBe(201)
    const promoting = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"channel":"beta"}',
    }
    expect((await server.fetch(`/api/projects/${id}/releases/1.0/promote`, promoting)).status).toBe(
      200,
    )
  })
})

describe('a former maintainer', () => {
  test('leaves the releases, and can release no more', async ({ server, alice, mia, id }) => {
    await aFile(server, mia, {
      filename: 'rocket.apk',
      project_id: id,
      version: '1.0',
      is_public: true,
    })
    const { api_key } = await (
      await server.signedIn(mia)
    ).client.apiKeys.create({ name: 'CI', project_id: id })
    await server.as(alice).collaborators.remove({ id, collaboratorId: 'mia' })
    await server.inside.users.change(mia.id, { disabled: true })

    const { release } = await server.visitor().releases.byVersion({ id, version: '1.0' })
    expect(release.files.map(({ filename }) => filename)).toEqual(['rocket.apk'])
    const headers = { 'x-api-key': api_key }
    const reply = await server.fetch('/api/files/upload/b.apk', {
      method: 'PUT',
      headers,
      body: 'x',
    })
    expect(reply.status).toBe(401)
  })

  test('keeps the bytes of an upload that was running, on their own storage', async ({
    server,
    alice,
    mia,
    id,
  }) => {
    const before = await used(server, alice)
    const { send } = await begin(server, mia, id, 5)
    await setRole(server, alice, id, 'collaborator')

    const reply = await send('12345')
    expect([reply.status, reply.headers.get('slipway-linked')]).toEqual([204, 'false'])
    expect([(await used(server, alice)) - before, await used(server, mia)]).toEqual([0, 5])
  })

  test('adds nothing with an upload just stored', async ({ server, alice, mia, id }) => {
    const before = await used(server, alice)
    const removeMia = () => server.as(alice).collaborators.remove({ id, collaboratorId: 'mia' })
    onceStored(server.inside, removeMia)
    await expect(aFile(server, mia, { project_id: id, bytes: '123' })).rejects.toMatchObject(
      refusal('forbidden'),
    )
    await server.as(alice).collaborators.add({ id, username: 'mia', role: 'maintainer' })
    const { send } = await begin(server, mia, id, 5)
    onceStored(server.inside, removeMia)

    expect((await send('12345')).headers.get('slipway-linked')).toBe('false')
    expect([(await used(server, alice)) - before, await used(server, mia)]).toEqual([0, 5])
    expect((await server.as(alice).projects.byId({ id })).project.total_files).toBe(0)
  })

  test('pays for a running upload from the moment on that they lose the role', async ({
    server,
    alice,
    mia,
    id,
  }) => {
    const held = () => [alice, mia].map((user) => server.inside.quota.held(user.id))
    const { send } = await begin(server, mia, id, 5)
    await send('12')
    expect(held()).toEqual([5, 0])
    await setRole(server, alice, id, 'collaborator')
    expect(held()).toEqual([0, 5])
    await setRole(server, alice, id, 'maintainer')
    await begin(server, mia, id, 7)
    await server.as(alice).projects.remove({ id })

    expect(held()).toEqual([0, 12])
  })

  test('gets an error if their own storage is too small, and the upload ends', async ({
    server,
    alice,
    mia,
    id,
  }) => {
    const { path, send } = await begin(server, mia, id, 5)
    await aFullQuota(server, mia, 4)
    await setRole(server, alice, id, 'collaborator')

    expect((await send('12345')).status).toBe(403)
    expect((await server.fetchAs(mia)(path)).status).toBe(404)
  })
})

test('an upload that changes its project is paid for by the new owner', async ({
  server,
  alice,
  mia,
  id,
}) => {
  const before = await used(server, alice)
  const own = await aProject(server, mia, { title: 'Own' })
  const { path, send } = await begin(server, mia, id, 5)
  await server.as(mia).uploads.change({
    id: path.split('/').at(-1) ?? '',
    project_id: own.project_id,
    is_public: false,
  })

  expect([server.inside.quota.held(alice.id), server.inside.quota.held(mia.id)]).toEqual([0, 5])
  await send('12345')
  expect([(await used(server, alice)) - before, await used(server, mia)]).toEqual([
    0,
    'Own'.length + 5,
  ])
})

test('two maintainers who move a release at once leave one readable state', async ({
  server,
  alice,
  mia,
  id,
}) => {
  const max = await aUser(server, 'max')
  await server.as(alice).collaborators.add({ id, username: 'max', role: 'maintainer' })
  await aFile(server, mia, { project_id: id, version: '1.0', is_public: true })

  const moves = await Promise.all([
    server.as(mia).releases.promote({ id, version: '1.0', channel: 'beta' }),
    server.as(max).releases.promote({ id, version: '1.0', channel: 'nightly' }),
    server.as(max).releases.withdraw({ id, version: '1.0' }),
  ])

  // Each reply says what the change of its sender led to; the last one holds for both.
  expect(moves.map(({ release }) => [release.channel, release.state])).toEqual([
    ['beta', 'published'],
    ['nightly', 'published'],
    ['nightly', 'withdrawn'],
  ])
  for (const user of [mia, max]) {
    const { release } = await server.as(user).releases.byVersion({ id, version: '1.0' })
    expect([release.channel, release.state]).toEqual(['nightly', 'withdrawn'])
  }
})

describe('collaborators.change', () => {
  test('only a collaborator has a role to change', async ({ server, alice, id }) => {
    await aUser(server, 'bob')
    for (const collaboratorId of ['bob', 'alice']) {
      const change = server
        .as(alice)
        .collaborators.change({ id, collaboratorId, role: 'maintainer' })
      await expect(change).rejects.toMatchObject(refusal('not_found'))
    }
  })
})
