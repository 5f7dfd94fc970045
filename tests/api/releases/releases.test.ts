import { describe, expect } from 'vitest'
import type { Release } from '../../../server/contract'
import { aFile, anApp, aReleasedFile, aUser, someFacts } from '../../support/world/factories'
import { refusal } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const brief = ({ version, channel, state, files }: Release) =>
  [version, channel, state, ...files.map(({ filename }) => filename)].join(' ')

describe('releases.list', () => {
  test('lists releases by version, newest first, with files', async ({ server, alice, id }) => {
    for (const version of ['1.10', '1.9', 'v1.2.3', '2024.10.05', '1.10-beta.2', 'first']) {
      await aReleasedFile(server, alice, id, version)
    }
    await aReleasedFile(server, alice, id, '1.9', 'rocket.exe')
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

  test('shows visitors published releases with their public files, and members all', async ({
    server,
    alice,
    id,
  }) => {
    const carol = await aUser(server, 'carol')
    await server.as(alice).collaborators.add({ id, username: 'carol' })
    await aReleasedFile(server, alice, id, '1.0')
    await aFile(server, alice, { filename: 'secret.apk', project_id: id, version: '1.0' })
    await aFile(server, alice, { filename: 'secret.apk', project_id: id, version: '1.1' })
    await server.as(alice).releases.create({ id, version: '1.2', notes: 'Faster' })
    await server.as(alice).releases.create({ id, version: '1.3', notes: 'Later', state: 'draft' })
    await aReleasedFile(server, alice, id, '1.3')
    await aReleasedFile(server, alice, id, '1.4')
    await server.as(alice).releases.withdraw({ id, version: '1.4' })
    const seen = async (who: TestServer['as'] extends (user: never) => infer C ? C : never) =>
      (await who.releases.list({ id })).releases.map(brief)

    expect(await seen(server.visitor())).toEqual([
      '1.2 stable published',
      '1.0 stable published rocket.apk',
    ])
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

  test('orders equal versions by their highest build number', async ({ server, alice, id }) => {
    const add = (version: string, build: string, filename: string) =>
      anApp(
        server,
        alice,
        { filename, version, project_id: id, is_public: true },
        { ...someFacts, build },
      )
    await add('nightly a', '9', 'a.apk')
    await add('nightly b', '10', 'b.apk')
    await add('1.0 (41)', '41', '41.apk')
    await add('v1.0', '40', '40.apk')
    await add('v1.0', '42', '42.apk')
    await add('1.0.0 (39)', '39', '39.apk')
    const versions = async () =>
      (await server.visitor().releases.list({ id })).releases.map(({ version }) => version)

    expect(await versions()).toEqual(['v1.0', '1.0 (41)', '1.0.0 (39)', 'nightly b', 'nightly a'])
    expect((await server.visitor().releases.latest({ id })).release.version).toBe('v1.0')
    const newest = server.inside.projects.links.ofProject(server.inside.projects.find(id)!.id)
    const highest = newest.find(
      ({ fileId }) => server.inside.files.find(fileId)?.facts?.build === '42',
    )
    await server.as(alice).projects.unlink({ id, downloadId: highest!.fileId })
    expect((await versions())[0]).toBe('1.0 (41)')
  })

  test('answers pages, a channel, and notes since a version', async ({ server, alice, id }) => {
    const { releases } = server.as(alice)
    await releases.create({ id, version: '1.2.0', notes: 'Old' })
    await releases.create({ id, version: '1.3.0', notes: '* Faster' })
    await releases.create({ id, version: '1.4.0-rc.1', notes: 'Try it' })
    await releases.create({ id, version: '1.3.1', notes: 'Safer' })
    await releases.create({ id, version: '1.5.0', notes: 'Secret', state: 'draft' })
    const versions = async (input: object) =>
      (await server.visitor().releases.list({ id, ...input })).releases.map(
        ({ version }) => version,
      )

    expect(await versions({ limit: 2, offset: 1 })).toEqual(['1.3.1', '1.3.0'])
    expect(await versions({ channel: 'beta' })).toEqual(['1.4.0-rc.1'])
    await releases.create({ id, version: '0.1.0', notes: 'First', channel: 'alpha' })
    await releases.create({
      id,
      version: '0.2.0',
      notes: 'Secret',
      channel: 'secret',
      state: 'draft',
    })
    const { channels } = await server.visitor().releases.list({ id, channel: 'beta', limit: 1 })
    expect(channels).toEqual(['stable', 'alpha', 'beta'])
    expect(
      await server.visitor().releases.list({ id, since: '1.2', channel: 'stable' }),
    ).toMatchObject({
      total: 2,
      notes: '# 1.3.1\n\nSafer\n\n# 1.3.0\n\n* Faster',
    })
    expect((await server.as(alice).releases.list({ id, since: '1.4' })).notes).toBe('')
    expect((await server.visitor().releases.list({ id, since: '../x' })).total).toBe(5)
  })
})

describe('releases.create', () => {
  test('creates a release that files join', async ({ server, alice, id }) => {
    const { release } = await server
      .as(alice)
      .releases.create({ id, version: ' 2.0-beta ', notes: 'Soon' })
    await aReleasedFile(server, alice, id, '2.0-beta')

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
    await expect(
      server.as(alice).releases.create({ id, version: '2.0-beta' }),
    ).rejects.toMatchObject(refusal('taken', 'version'))
  })

  test('rejects a version that is blank or a place', async ({ server, alice, id }) => {
    for (const version of ['', ' ', '.', '..'])
      await expect(server.as(alice).releases.create({ id, version })).rejects.toMatchObject(
        refusal('invalid_input', 'version'),
      )
  })
})

describe('releases.byVersion', () => {
  test('answers a release with files to those who see it', async ({ server, alice, id }) => {
    const at = { id, version: '1.0' }
    const names = Array.from({ length: 51 }, (_, number) => `rocket-${number}.apk`)
    for (const filename of names) await aReleasedFile(server, alice, id, '1.0', filename)
    await aFile(server, alice, { filename: 'secret.apk', project_id: id, version: '1.1' })
    const missing = refusal('not_found')

    expect((await server.visitor().releases.byVersion(at)).release.files).toHaveLength(51)
    expect((await server.visitor().releases.list({ id })).releases[0]?.files).toHaveLength(50)
    await expect(server.visitor().releases.byVersion({ id, version: '1.1' })).rejects.toMatchObject(
      missing,
    )
    await expect(
      server.visitor().releases.byVersion({ id, version: '../x' }),
    ).rejects.toMatchObject(missing)
    expect(
      (await server.as(alice).releases.byVersion({ id, version: '1.1' })).release.total_files,
    ).toBe(1)
    await server.as(alice).releases.withdraw(at)
    await expect(server.visitor().releases.byVersion(at)).rejects.toMatchObject(missing)
    expect((await server.as(alice).releases.byVersion(at)).release.state).toBe('withdrawn')
  })
})
