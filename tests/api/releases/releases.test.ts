import { describe, expect } from 'vitest'
import type { Release } from '../../../server/contract'
import type { UserRecord } from '../../../server/features/accounts/user-store'
import { aFile, aProject, aUser } from '../../support/factories'
import { refusal } from '../../support/network/reply'
import { test as base, type TestServer } from '../../support/test-server'

/** Alice's public project, and releases of it. */
const test = base.extend<{ alice: UserRecord; id: string }>({
  alice: async ({ server }, use) => use(await aUser(server, 'alice')),
  id: async ({ server, alice }, use) => use((await aProject(server, alice, { is_public: true })).slug),
})

/** A public file of the project, in the release of this version. */
const published = (server: TestServer, owner: UserRecord, id: string, version: string, filename = 'rocket.apk') =>
  aFile(server, owner, { filename, project_id: id, version, is_public: true })

const brief = ({ version, channel, state, files }: Release) =>
  [version, channel, state, ...files.map(({ filename }) => filename)].join(' ')

describe('releases.list', () => {
  test('lists releases by version, newest first, each with its files', async ({ server, alice, id }) => {
    for (const version of ['1.10', '1.9', 'v1.2.3', '2024.10.05', '1.10-beta.2', 'first']) {
      await published(server, alice, id, version)
    }
    await published(server, alice, id, '1.9', 'rocket.exe')
    await aFile(server, alice, { project_id: id, is_public: true })

    const { releases, total, notes } = await server.visitor().releases.list({ id })

    expect(releases.map(brief)).toEqual([
      '2024.10.05 stable published rocket.apk',
      '1.10 stable published rocket.apk',
      '1.10-beta.2 beta published rocket.apk',
      '1.9 stable published rocket.exe rocket.apk',
      'v1.2.3 stable published rocket.apk',
      'first stable published rocket.apk',
    ])
    expect([total, notes, releases[0]?.can]).toEqual([6, null, ['read']])
  })

  test('shows visitors published releases with their public files, and members all', async ({ server, alice, id }) => {
    const carol = await aUser(server, 'carol')
    await server.as(alice).collaborators.add({ id, username: 'carol' })
    await published(server, alice, id, '1.0')
    await aFile(server, alice, { filename: 'secret.apk', project_id: id, version: '1.0' })
    await aFile(server, alice, { filename: 'secret.apk', project_id: id, version: '1.1' })
    await server.as(alice).releases.create({ id, version: '1.2', notes: 'Faster' })
    await server.as(alice).releases.create({ id, version: '1.3', notes: 'Later', state: 'draft' })
    await published(server, alice, id, '1.3')
    await published(server, alice, id, '1.4')
    await server.as(alice).releases.withdraw({ id, version: '1.4' })
    const seen = async (who: TestServer['as'] extends (user: never) => infer C ? C : never) =>
      (await who.releases.list({ id })).releases.map(brief)

    expect(await seen(server.visitor())).toEqual(['1.2 stable published', '1.0 stable published rocket.apk'])
    expect(await seen(server.as(await aUser(server, 'bob')))).toEqual(await seen(server.visitor()))
    for (const member of [alice, carol]) {
      expect(await seen(server.as(member))).toEqual([
        '1.4 stable withdrawn rocket.apk',
        '1.3 stable draft rocket.apk',
        '1.2 stable published',
        '1.1 stable published secret.apk',
        '1.0 stable published secret.apk rocket.apk',
      ])
    }
  })

  test('answers pages, one channel, and the notes since a version', async ({ server, alice, id }) => {
    const { releases } = server.as(alice)
    await releases.create({ id, version: '1.2.0', notes: 'Old' })
    await releases.create({ id, version: '1.3.0', notes: '* Faster' })
    await releases.create({ id, version: '1.4.0-rc.1', notes: 'Try it' })
    await releases.create({ id, version: '1.3.1', notes: 'Safer' })
    await releases.create({ id, version: '1.5.0', notes: 'Secret', state: 'draft' })
    const versions = async (input: object) =>
      (await server.visitor().releases.list({ id, ...input })).releases.map(({ version }) => version)

    expect(await versions({ limit: 2, offset: 1 })).toEqual(['1.3.1', '1.3.0'])
    expect(await versions({ channel: 'beta' })).toEqual(['1.4.0-rc.1'])
    expect(await server.visitor().releases.list({ id, since: '1.2', channel: 'stable' })).toMatchObject({
      total: 2,
      notes: '## 1.3.1\n\nSafer\n\n## 1.3.0\n\n* Faster',
    })
    expect((await server.as(alice).releases.list({ id, since: '1.4' })).notes).toBe('')
    expect((await server.visitor().releases.list({ id, since: '../x' })).total).toBe(4)
  })
})

describe('releases.create', () => {
  test('creates a release that files join', async ({ server, alice, id }) => {
    const { release } = await server.as(alice).releases.create({ id, version: ' 2.0-beta ', notes: 'Soon' })
    await published(server, alice, id, '2.0-beta')

    expect(release).toMatchObject({
      version: '2.0-beta',
      channel: 'beta',
      state: 'published',
      files: [],
      total_files: 0,
    })
    expect((await server.visitor().releases.list({ id })).releases.map(brief)).toEqual([
      '2.0-beta beta published rocket.apk',
    ])
    await expect(server.as(alice).releases.create({ id, version: '2.0-beta' })).rejects.toMatchObject(
      refusal('taken', 'version'),
    )
  })

  test.for(['', ' ', '.', '..'])('rejects the version %j', async (version, { server, alice, id }) => {
    await expect(server.as(alice).releases.create({ id, version })).rejects.toMatchObject(
      refusal('invalid_input', 'version'),
    )
  })
})

describe('releases.update', () => {
  test('changes what it names, and keeps the rest', async ({ server, alice, id }) => {
    await published(server, alice, id, '1.0 beta/2')
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
    await published(server, alice, id, '1.0-rc.1')
    const at = { id, version: '1.0-rc.1' }
    const { promote } = server.as(alice).releases

    expect((await promote(at)).release.channel).toBe('stable')
    expect((await promote({ ...at, channel: 'early-birds' })).release.channel).toBe('early-birds')
  })

  test('and a withdrawal at the same time both apply', async ({ server, alice, id }) => {
    await published(server, alice, id, '1.0-rc.1')
    const at = { id, version: '1.0-rc.1' }
    const { promote, withdraw } = server.as(alice).releases

    await Promise.all([promote(at), withdraw(at), promote(at)])

    expect((await server.as(alice).releases.list({ id })).releases.map(brief)).toEqual([
      '1.0-rc.1 stable withdrawn rocket.apk',
    ])
  })

  test('is for keys with the scope to manage, bound ones too', async ({ server, alice, id }) => {
    const project = server.context.projects.store.find(id)!
    await published(server, alice, id, '1.0')
    const { apiKeys } = server.context.accounts
    const statusWith = async (scopes: ('read' | 'upload' | 'manage')[], projectId: string, call: string) => {
      const { key } = await apiKeys.create(alice.id, 'CI', null, { scopes, projectId })
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const body = JSON.stringify({ version: `3.${scopes.join('')}` })
      return (await server.fetch(`/api/projects/${id}/releases${call}`, { method: 'POST', headers, body })).status
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
  test('and releases.publish are undone by each other, and keep the time of publishing', async ({
    server,
    alice,
    id,
  }) => {
    await published(server, alice, id, '1.0')
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
    expect(release).toMatchObject({ state: 'published', published_at: server.clock.now().toISOString() })
  })
})

test('the audit log names each change of a release', async ({ server, alice, id }) => {
  const host = (await server.atWindow(await aUser(server, 'host', { isHost: true }))).client
  const at = { id, version: '1.0-rc.1' }
  const { create, promote, withdraw, publish, update } = server.as(alice).releases
  await create(at)
  await update({ ...at, notes: 'Faster' })
  await promote(at)
  await withdraw(at)
  await publish(at)

  const { events } = await host.audit.list({})
  expect(events.slice(0, 5).map(({ kind, subject, detail }) => [kind, subject, detail])).toEqual([
    ['release_publish', '1.0-rc.1', 'Rocket'],
    ['release_withdraw', '1.0-rc.1', 'Rocket'],
    ['release_promote', '1.0-rc.1', 'Rocket: beta → stable'],
    ['release_change', '1.0-rc.1', 'Rocket'],
    ['release_create', '1.0-rc.1', 'Rocket'],
  ])
})
