import { describe, expect } from 'vitest'
import { aFile, aFullQuota, aProject, aUser } from '../../support/world/factories'
import { replyOf } from '../../support/network/reply'
import { metadata, TusClient } from '../../support/network/tus'
import { test as base } from '../../support/world/http'
import { DAY } from '../../support/world/test-clock'
import { sendUpload, upload, uploadForm } from '../../support/world/upload'
import type { TestServer } from '../../support/world/test-server'
import type { Scope } from '../../../server/contract'
import type { UserRecord } from '../../../server/data/records/account-records'

/** Alice's private project. */
const test = base.extend<{ id: string }>({
  id: async ({ server, alice }, use) => use((await aProject(server, alice)).project_id),
})

const aBuild = (server: TestServer, owner: UserRecord, project_id: string, bytes = 'build 1') =>
  upload(server.fetchAs(owner), new File([bytes], 'rocket.apk'), {
    project_id,
    for_preview: 'true',
  })

/** A preview with one build, the path of its page and that of its file. */
async function aPreview(server: TestServer, owner: UserRecord, id: string, name = 'pr-128') {
  const { file_id } = await aBuild(server, owner, id)
  const { preview } = await server.as(owner).previews.put({ id, name, file_ids: [file_id] })
  const path = new URL(preview.url ?? '').pathname
  return { ...preview, file_id, path, file: `${path}/releases/${name}-1/rocket.apk` }
}

const JSON_PUT = { method: 'PUT', headers: { 'content-type': 'application/json' } }

const status = async (server: TestServer, path: string) => (await server.fetch(path)).status

describe('previews.put', () => {
  test('shows each build at the same address, and keeps the last ones', async ({
    server,
    alice,
    id,
  }) => {
    const client = server.as(alice)
    const { preview: empty } = await client.previews.put({
      id,
      name: 'pr-128',
      title: '<b>Fix</b>',
      request_url: 'https://git.example/128',
    })
    const path = new URL(empty.url ?? '').pathname
    expect(empty.builds).toEqual([])
    expect(await (await server.fetch(path)).text()).toContain('Nothing to install yet')

    for (const [index, bytes] of ['one', 'two', 'three'].entries()) {
      const { file_id } = await aBuild(server, alice, id, bytes)
      const commit = `9c1185a${index}`
      const build = { id, name: 'pr-128', file_ids: [file_id], commit }
      const { preview } = await client.previews.put(build)
      const again = await client.previews.put(build)
      expect(preview.url).toBe(empty.url)
      expect(again.preview.builds).toEqual(preview.builds)
    }

    const { previews } = await client.previews.list({ id })
    expect(previews[0]?.builds.map(({ number }) => number)).toEqual([3, 2])
    const page = await (await server.fetch(path)).text()
    expect(page).toContain('&lt;b&gt;Fix&lt;/b&gt;')
    expect(page).toContain('9c1185a')
    expect(await (await server.fetch(`${path}/releases/pr-128-3/rocket.apk`)).text()).toBe('three')
    expect(await status(server, `${path}/releases/pr-128-1/rocket.apk`)).toBe(404)

    const [old] = (await client.trash.list({})).items
    expect(old).toMatchObject({ kind: 'file', name: 'rocket.apk' })
    await client.trash.restore({ id: old!.trash_id })
    const { files } = await client.files.mine({})
    expect(files).toMatchObject([{ is_public: false, can: expect.arrayContaining(['update']) }])
  })

  test('leaves builds out of files, releases, feeds, search and counts', async ({
    server,
    alice,
    id,
    signedIn,
  }) => {
    const client = server.as(alice)
    await client.projects.update({ id, is_public: true })
    const { path, file, file_id } = await aPreview(server, alice, id)
    expect(await (await server.fetch(file)).text()).toBe('build 1')

    expect((await client.files.mine({})).total).toBe(0)
    expect((await client.files.mine({ search: 'rocket' })).total).toBe(0)
    expect((await client.builds.list({})).total).toBe(0)
    expect((await client.releases.list({ id })).releases).toEqual([])
    const { project } = await client.projects.byId({ id })
    expect(project).toMatchObject({ downloads: [], stats: { total_downloads: 0 } })
    expect(JSON.stringify(await signedIn.client.search.find({ text: 'rocket' }))).not.toContain(
      file_id,
    )
    expect(await (await server.fetch(`/p/${project.slug}/feeds/feed.json`)).text()).not.toContain(
      'rocket.apk',
    )
    expect(await status(server, `/p/${project.slug}/latest/android`)).toBe(404)
    for (const below of ['/feeds/atom.xml', '/latest', '/feeds/apt/stable/Release'])
      expect(await status(server, path + below)).toBe(404)
    expect(await status(server, `/api/files/${file_id}/download`)).toBe(404)

    expect((await client.storage.stats({})).stats.used).toBeGreaterThan(0)
    expect((await client.previews.list({ id })).previews).toMatchObject([
      { opens: 0, downloads: 1 },
    ])
    // Nothing publishes a build of a preview on another way.
    const change = client.files.setVisibility({ id: file_id, is_public: true })
    await expect(change).rejects.toMatchObject({ code: 'forbidden' })
    const link = client.projects.link({ id, file_id })
    await expect(link).rejects.toMatchObject({ code: 'forbidden' })
  })

  test.for([
    '',
    'PR-128',
    'feature/login',
    '..',
    '-a',
    'a--b',
    'a'.repeat(61),
    'pr 1',
    'pr-1\n',
    'pr%001',
    '<script>',
  ])('rejects the name %j', async (name, { server, alice, id }) => {
    const path = `/api/projects/${id}/previews/${encodeURIComponent(name)}`
    const reply = await server.fetchAs(alice)(path, { ...JSON_PUT, body: '{}' })
    expect([400, 404]).toContain(reply.status)
    expect((await server.as(alice).previews.list({ id })).previews).toEqual([])
  })

  test.for([
    ['request_url', 'javascript:alert(1)'],
    ['commit', 'main; rm -rf /'],
    ['days', 91],
    ['days', 0],
    ['keep', 4],
    ['file_ids', []],
    ['title', 'a'.repeat(121)],
  ] as const)('rejects %s = %j', async ([field, value], { server, alice, id }) => {
    const put = server.fetchAs(alice)(`/api/projects/${id}/previews/pr-1`, {
      ...JSON_PUT,
      body: JSON.stringify({ [field]: value }),
    })
    expect(await replyOf(put)).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  })

  test('takes only files that were sent for previews of this project', async ({
    server,
    alice,
    id,
  }) => {
    const bob = await aUser(server, 'bob')
    const other = await aProject(server, alice, { title: 'Other' })
    const elsewhere = [
      await aFile(server, alice),
      await aFile(server, bob),
      await aBuild(server, alice, other.project_id),
      await aFile(server, alice, { project_id: id, version: '1.0', filename: 'rocket.apk' }),
    ]
    for (const { file_id } of elsewhere) {
      const put = server.as(alice).previews.put({ id, name: 'pr-1', file_ids: [file_id] })
      await expect(put).rejects.toMatchObject({ code: 'not_found' })
    }
    const sent = (fields: Record<string, string>) =>
      upload(server.fetchAs(alice), new File(['x'], 'a.apk'), { for_preview: 'true', ...fields })
    await expect(sent({})).rejects.toThrow()
    await expect(sent({ project_id: id, is_public: 'true' })).rejects.toThrow()
  })

  test.for([
    ['version', '1.4.0'],
    ['platform', 'android'],
    ['channel', 'beta'],
    ['strict', 'true'],
  ] as const)(
    'refuses a file for a preview with the field %s',
    async ([field, value], { server, alice, id }) => {
      const fields = { project_id: id, for_preview: 'true', [field]: value }
      const reply = { status: 400, body: { code: 'invalid_input', field } }

      const form = uploadForm(new File(['x'], 'rocket.apk'), fields)
      expect(await replyOf(sendUpload(server.fetchAs(alice), form))).toMatchObject(reply)
      const headers = { 'upload-metadata': metadata({ filename: 'rocket.apk', ...fields }) }
      const begun = TusClient.of(server, alice).create(1, headers)
      expect(await replyOf(begun)).toMatchObject(reply)
      expect(server.inside.files.forPreviews()).toEqual([])
    },
  )

  test('makes one preview for two pushes at once', async ({ server, alice, id }) => {
    const builds = [await aBuild(server, alice, id, 'a'), await aBuild(server, alice, id, 'b')]
    const replies = await Promise.all(
      builds.map(({ file_id }) =>
        server.as(alice).previews.put({ id, name: 'pr-1', file_ids: [file_id] }),
      ),
    )
    expect(new Set(replies.map(({ preview }) => preview.url)).size).toBe(1)
    const { previews } = await server.as(alice).previews.list({ id })
    expect(previews.map(({ builds: kept }) => kept.length)).toEqual([2])
  })

  test('does not bring back a preview that ended during the push', async ({
    server,
    alice,
    id,
  }) => {
    const client = server.as(alice)
    const { preview } = await client.previews.put({ id, name: 'pr-1' })
    const { file_id } = await aBuild(server, alice, id)
    await client.previews.end({ id, name: 'pr-1' })
    const { preview_id } = preview
    const late = client.previews.put({ id, name: 'pr-1', preview_id, file_ids: [file_id] })
    await expect(late).rejects.toMatchObject({ code: 'gone' })

    expect((await client.trash.list({})).total).toBe(0)
    server.clock.advance(DAY + 1)
    await server.inside.tidy()
    expect((await client.trash.list({})).total).toBe(1)
  })

  test('allows 100 previews at once, without those that have expired', async ({
    server,
    alice,
    id,
  }) => {
    const client = server.as(alice)
    for (let number = 1; number <= 100; number++)
      await client.previews.put({ id, name: `pr-${number}`, days: number === 1 ? 1 : 30 })
    const next = () => client.previews.put({ id, name: 'pr-101' })
    await expect(next()).rejects.toMatchObject({ code: 'too_many_records' })
    server.clock.advance(DAY + 1)
    expect((await next()).preview.name).toBe('pr-101')
  })

  test('keeps the last build when the quota is full', async ({ server, alice, id }) => {
    const { file } = await aPreview(server, alice, id)
    await aFullQuota(server, alice, 10)
    await expect(aBuild(server, alice, id, 'build 2')).rejects.toThrow()
    expect(await status(server, file)).toBe(200)
  })

  test('takes a key that may upload to the project, and no other', async ({
    server,
    alice,
    id,
  }) => {
    const bob = await aUser(server, 'bob')
    const other = await aProject(server, alice, { title: 'Other' })
    const put = async (key: string) => {
      const headers = { ...JSON_PUT.headers, 'x-api-key': key }
      const path = `/api/projects/${id}/previews/pr-1`
      return (await server.fetch(path, { method: 'PUT', headers, body: '{}' })).status
    }
    const { apiKeys } = server.inside
    const withKey = async (owner: UserRecord, scope: Scope, projectId: string | null) =>
      put((await apiKeys.create(owner.id, 'CI', null, { scopes: [scope], projectId })).key)

    expect(await withKey(alice, 'upload', id)).toBe(200)
    expect(await withKey(alice, 'read', null)).toBe(403)
    expect(await withKey(alice, 'upload', other.project_id)).toBe(404)
    expect(await withKey(bob, 'upload', null)).toBe(404)
    await server.as(alice).collaborators.add({ id, username: 'bob' })
    expect(await withKey(bob, 'upload', null)).toBe(403)
  })
})

describe('previews.list', () => {
  test('shows addresses to the team only', async ({ server, alice, id }) => {
    const bob = await aUser(server, 'bob')
    const { url } = await aPreview(server, alice, id)
    await server.as(alice).collaborators.add({ id, username: 'bob' })
    expect((await server.as(bob).previews.list({ id })).previews).toMatchObject([{ url }])
    const stranger = server.as(await aUser(server, 'eve')).previews.list({ id })
    await expect(stranger).rejects.toMatchObject({ code: 'not_found' })
  })

  test('keeps the address over a restart', async ({ server, alice, id }) => {
    const { path, file } = await aPreview(server, alice, id)
    await server.close()
    const again = await server.restart()
    expect(await status(again, file)).toBe(200)
    const { preview } = await again.as(alice).previews.put({ id, name: 'pr-128' })
    expect(new URL(preview.url ?? '').pathname).toBe(path)
  })
})

describe('previews.end', () => {
  test('ends the address for good, and moves the builds to the trash', async ({
    server,
    alice,
    id,
  }) => {
    const client = server.as(alice)
    const { path, file } = await aPreview(server, alice, id)
    await client.previews.end({ id, name: 'pr-128' })
    expect([await status(server, path), await status(server, file)]).toEqual([404, 404])
    expect((await client.trash.list({})).total).toBe(1)
    const again = client.previews.end({ id, name: 'pr-128' })
    await expect(again).rejects.toMatchObject({ code: 'not_found' })

    const next = await aPreview(server, alice, id)
    expect(next.path).not.toBe(path)
    expect(await status(server, path)).toBe(404)
  })

  test('happens by itself after the days of the last push', async ({ server, alice, id }) => {
    const client = server.as(alice)
    const { path } = await aPreview(server, alice, id)
    server.clock.advance(10 * DAY)
    await client.previews.put({ id, name: 'pr-128' })
    server.clock.advance(13 * DAY)
    expect(await status(server, path)).toBe(200)
    server.clock.advance(DAY + 1)
    expect(await status(server, path)).toBe(404)
    await server.inside.tidy()
    expect((await client.trash.list({})).total).toBe(1)
  })

  test('waits while the project is in the trash', async ({ server, alice, id }) => {
    const client = server.as(alice)
    const { file } = await aPreview(server, alice, id)
    await client.projects.remove({ id })
    expect(await status(server, file)).toBe(404)
    await server.inside.tidy()
    const [item] = (await client.trash.list({})).items
    await client.trash.restore({ id: item!.trash_id })
    expect(await status(server, file)).toBe(200)
  })
})
