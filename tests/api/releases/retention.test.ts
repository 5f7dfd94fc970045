import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { backUp } from '../../../server/data/backup/backup'
import { rebuild } from '../../../server/data/repair/rebuild'
import { verify } from '../../../server/data/repair/verify'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { keptBytes } from '../../support/kept-bytes'
import { PASSWORD_HASH } from '../../support/world/password'
import { test as base } from '../../support/world/http'
import { DAY } from '../../support/world/test-clock'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

const id = 'rocket'
const nightly = { id, channel: 'nightly' }

interface Build {
  filename?: string
  channel?: string
  bytes?: string
  is_public?: boolean
}

/** Alice's public project, and how to publish a build for a channel. */
const test = base.extend<{
  alice: UserRecord
  build: (version: string, build?: Build) => Promise<{ file_id: string }>
}>({
  alice: async ({ server }, use) => {
    const alice = await aUser(server, 'alice')
    await aProject(server, alice, { is_public: true })
    await use(alice)
  },
  build: async ({ server, alice }, use) =>
    use(
      async (
        version,
        { channel = 'nightly', filename = `rocket-${version}.zip`, ...file } = {},
      ) => {
        await server
          .as(alice)
          .releases.create({ id, version, channel })
          .catch(() => undefined)
        const { file_id } = await aFile(server, alice, {
          is_public: true,
          project_id: id,
          version,
          filename,
          ...file,
        })
        await server.inside.retention.idle()
        return { file_id }
      },
    ),
})

/** The versions that a visitor is offered, newest first. */
const offered = async (server: TestServer) =>
  (await server.visitor().releases.list({ id })).releases.map(({ version }) => version)

const trashed = async (server: TestServer, owner: UserRecord) =>
  (await server.as(owner).trash.list({})).items.map(({ name }) => name).sort()

describe('retention.list, retention.preview and retention.update', () => {
  test('moves the oldest releases to the trash, at once and after each new one', async ({
    server,
    alice,
    build,
  }) => {
    for (const version of ['1', '2', '3', '4']) await build(version, { bytes: '12345' })
    await build('9', { channel: 'stable' })
    const { retention } = server.as(alice)
    const preview = await retention.preview({ ...nightly, keep: 2 })
    expect(preview).toMatchObject({ total: 2, size: 10, stays: [] })
    expect(preview.releases.map(({ version, files, size }) => [version, files, size])).toEqual([
      ['1', 1, 5],
      ['2', 1, 5],
    ])
    expect(await offered(server)).toHaveLength(5)

    expect(await retention.update({ ...nightly, keep: 2 })).toEqual(preview)
    await server.inside.retention.idle()
    expect(await offered(server)).toEqual(['9', '4', '3'])
    await build('5')
    expect(await offered(server)).toEqual(['9', '5', '4'])
    expect(await trashed(server, alice)).toEqual(['Rocket 1', 'Rocket 2', 'Rocket 3'])
    expect((await retention.list({ id })).channels).toMatchObject([
      { channel: 'stable', keep: null, releases: 1 },
      { channel: 'nightly', keep: 2, releases: 2 },
    ])
    const { events } = await server.inside.audit.page({
      limit: 4,
      userId: alice.id,
      kind: 'release_trash',
    })
    expect(events.map(({ subject, detail, via }) => [subject, detail, via])[0]).toEqual([
      '3',
      'Rocket: nightly keeps the last 2',
      'host',
    ])

    await retention.update({ ...nightly, keep: null })
    await build('6')
    expect(await offered(server)).toEqual(['9', '6', '5', '4'])
  })
})

describe('a channel with a limit', () => {
  test('keeps a release while a share link gives one of its files away', async ({
    server,
    alice,
    build,
  }) => {
    const given = await build('1')
    for (const version of ['2', '3']) await build(version)
    const { retention, shareLinks } = server.as(alice)
    const { share_link } = await shareLinks.create({ id: given.file_id })
    const plan = await retention.update({ ...nightly, keep: 1 })
    const stays = [{ version: '1', reason: 'shared', filename: 'rocket-1.zip' }]
    expect([plan.total, plan.stays]).toEqual([1, stays])
    expect(await offered(server)).toEqual(['3', '1'])

    await shareLinks.end({ id: given.file_id, shareId: share_link.share_id })
    await retention.update({ ...nightly, keep: 1 })
    expect(await offered(server)).toEqual(['3'])
  })

  test('keeps what links, drafts, rollouts, projects need', async ({ server, alice, build }) => {
    await build('1', { filename: 'rocket-1.deb' })
    const shared = await build('2')
    await build('3')
    await build('4')
    await server.as(alice).releases.update({ id, version: '3', rollout: 10 })
    await server
      .as(alice)
      .releases.create({ id, version: '0.1', channel: 'nightly', state: 'draft' })
    await aFile(server, alice, { filename: 'rocket-0.1.zip', project_id: id, version: '0.1' })
    const other = await aProject(server, alice, { title: 'Other' })
    await server.as(alice).projects.link({ id: other.project_id, file_id: shared.file_id })

    const plan = await server.as(alice).retention.update({ ...nightly, keep: 1 })
    await server.inside.retention.idle()
    expect(plan.releases).toMatchObject([{ version: '2', files: 1, size: 0 }])
    expect(plan.stays).toEqual([
      { version: '3', reason: 'rollout', filename: null },
      { version: '1', reason: 'newest_file', filename: 'rocket-1.deb' },
    ])
    const versions = (await server.as(alice).releases.list({ id })).releases.map(
      ({ version }) => version,
    )
    expect(versions).toEqual(['4', '3', '1', '0.1'])
    expect(
      (await server.as(alice).projects.byId({ id: other.project_id })).project.total_files,
    ).toBe(1)
    await server
      .as(alice)
      .trash.restore({ id: (await server.as(alice).trash.list({})).items[0]!.trash_id })
    expect(
      (await server.visitor().releases.byVersion({ id, version: '2' })).release.files,
    ).toHaveLength(1)
  })

  test('leaves a release that was restored or promoted', async ({ server, alice, build }) => {
    const { retention, trash, releases, files } = server.as(alice)
    await retention.update({ ...nightly, keep: 1 })
    const first = await build('1', { bytes: 'first', filename: 'rocket-1.zip' })
    await releases.update({ id, version: '1', notes: 'The first' })
    await build('2')
    expect(await offered(server)).toEqual(['2'])
    expect((await server.fetch(`/api/files/${first.file_id}/download`)).status).toBe(404)

    const [item] = (await trash.list({})).items
    expect(item).toMatchObject({ kind: 'release', name: 'Rocket 1', size: 5 + 'The first'.length })
    await trash.restore({ id: item!.trash_id })
    expect((await releases.byVersion({ id, version: '1' })).release).toMatchObject({
      ...{ notes: 'The first', channel: 'nightly', total_files: 1 },
    })
    expect(await (await server.fetch(`/api/files/${first.file_id}/download`)).text()).toBe('first')
    await build('3')
    expect(await offered(server)).toEqual(['3', '1'])
    expect((await retention.preview({ ...nightly, keep: 1 })).stays).toMatchObject([
      { version: '1', reason: 'brought_back' },
    ])

    await releases.withdraw({ id, version: '3' })
    await build('4')
    await releases.publish({ id, version: '3' })
    await build('0.5', { channel: 'beta' })
    await releases.promote({ id, version: '0.5', channel: 'nightly' })
    await server.inside.retention.idle()
    // 0.5 came last; 4 has the newest file.
    expect(await offered(server)).toEqual(['4', '3', '1', '0.5'])

    await releases.promote({ id, version: '1', channel: 'stable' })
    await retention.update({ id, channel: 'stable', keep: 1 })
    await build('7', { channel: 'stable' })
    expect(await offered(server)).toEqual(['7', '4', '3', '0.5'])
    expect((await files.mine({})).total).toBe(4)
  })

  test('deletes a release in the trash forever, but not files that were restored', async ({
    server,
    alice,
    build,
  }) => {
    const { retention, trash, projects } = server.as(alice)
    await retention.update({ ...nightly, keep: 1 })
    for (const version of ['1', '2', '3']) await build(version)
    expect((await keptBytes(server)).blobs).toBe(3)
    expect((await verify(server.dataDir, { readData: true, ...server.stored })).problems).toEqual(
      [],
    )
    const { items } = await trash.list({})
    // The project is in the trash meanwhile: only the files come back.
    await projects.remove({ id })
    await trash.restore({ id: items[0]!.trash_id })
    expect((await server.as(alice).files.mine({})).files.map(({ filename }) => filename)).toContain(
      'rocket-2.zip',
    )
    server.clock.advance(7 * DAY)
    await server.inside.tidy()
    expect((await keptBytes(server)).blobs).toBe(2)
  })

  test('holds for two releases at once, a start, a lost library', async ({
    server,
    folder,
    alice,
    build,
  }) => {
    await server.as(alice).retention.update({ ...nightly, keep: 2 })
    for (const version of ['1', '2']) await build(version)
    await Promise.all(['3', '4'].map((version) => build(version)))
    expect(await offered(server)).toEqual(['4', '3'])

    // What a crash before the move leaves.
    const { library, projects } = server.inside
    await library.transact((tx) => {
      const project = projects.find(id)!
      tx.put(library.collection('projects'), project.id, {
        ...project,
        retention: [{ channel: 'nightly', keep: 1 }],
      })
    })
    await server.close()
    const later = await server.restart()
    await later.inside.retention.idle()
    expect(await offered(later)).toEqual(['4'])
    expect(await trashed(later, alice)).toEqual(['Rocket 1', 'Rocket 2', 'Rocket 3'])

    const { path } = await backUp(server.dataDir, join(folder, 'backups'), new Date(), {
      ...server.stored,
    })
    const logs = (await readdir(path)).filter((name) => name.startsWith('library.'))
    for (const name of logs) await rm(join(path, name))
    const newId = () => 'recovered0000000'
    await rebuild(path, {
      now: new Date(),
      newId,
      hashPassword: () => Promise.resolve(PASSWORD_HASH),
    })
    expect(await verify(path, { readData: true })).toMatchObject({
      files: 1,
      trashed: 3,
      orphans: 0,
      problems: [],
    })
  })
})
