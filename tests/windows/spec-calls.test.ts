import { expect, test } from 'vitest'
import { createClient } from '../support/network/client'
import { KB, MB } from '../../server/contract'
import { aHost, clientAt, fetchAt, register } from '../support/world/place'
import { RawClient } from '../support/network/raw-client'
import { metadata, TusClient } from '../support/network/tus'
import { PASSWORD } from '../support/world/password'
import { Browser } from '../support/system/browser'
import { sha256 } from '../support/system/sha256'

const BYTES = 'rocket'
const SHA256 = sha256(BYTES)

test('a host on Windows answers accounts, keys and sessions as everywhere', async () => {
  const { host } = await aHost()
  const { accounts, apiKeys } = createClient(host.url, { fetch: new Browser(host.url).fetch })
  await accounts.register({ username: 'bob', email: 'bob@example.com', password: PASSWORD })
  expect(await accounts.check({})).toMatchObject({ authenticated: false })
  await accounts.login({ username: 'bob', password: PASSWORD })
  expect((await accounts.me({})).user.username).toBe('bob')
  expect(await accounts.check({})).toMatchObject({ authenticated: true })
  await apiKeys.create({ name: 'CI', expires_days: 1 })
  const id = (await apiKeys.list({})).keys[0]!.key_id
  await apiKeys.revoke({ id })
  await apiKeys.remove({ id })
  expect((await apiKeys.list({})).keys).toEqual([])
  await accounts.logout({})
  await expect(accounts.me({})).rejects.toMatchObject({ code: 'sign_in_required' })
})

test('a host on Windows keeps and serves files, builds and projects as everywhere', async () => {
  const { host, place } = await aHost()
  const bob = await register({ url: host.url }, 'bob')
  const { files, builds, projects, collaborators, posts, storage, trash } = clientAt(place)
  const { project } = await projects.create({
    title: 'Rocket',
    short_description: 'Flies',
    is_public: true,
  })
  const id = project.project_id
  expect((await projects.update({ id, title: 'Lantern' })).project.title).toBe('Lantern')

  const form = await files.upload({
    file: new File([BYTES], 'a.apk'),
    is_public: 'true',
    project_id: id,
    version: '1.0',
  })
  const put = await fetchAt(place)('/api/files/upload/b.zip', { method: 'PUT', body: BYTES })
  const tus = new TusClient((to, init) => fetchAt(place)(to, init))
  const address = await tus.begin(BYTES.length, {
    'upload-metadata': metadata({ filename: 'CON.txt', sha256: SHA256 }),
  })
  expect((await tus.patch(address, 0, BYTES.slice(0, 2))).status).toBe(204)
  expect((await tus.patch(address, 2, BYTES.slice(2))).status).toBe(204)
  expect([form.file.sha256, put.status]).toEqual([SHA256, 201])
  expect((await files.mine({})).files.map(({ filename }) => filename)).toEqual([
    'CON.txt',
    'b.zip',
    'a.apk',
  ])

  const file = { id: form.file_id }
  expect((await files.info(file)).file.size).toBe(BYTES.length)
  expect((await files.listPublic({ search: 'A.AP' })).files).toHaveLength(1)
  expect((await builds.list({})).builds).toHaveLength(2)
  expect((await builds.stats({})).stats).toMatchObject({ total_builds: 2 })
  expect((await storage.stats({})).stats).toMatchObject({ tier_name: 'Enterprise' })
  const part = await fetch(`${host.url}/api/files/${file.id}/download`, {
    headers: { range: 'bytes=2-3' },
  })
  expect([part.status, await part.text()]).toEqual([206, 'ck'])

  expect((await projects.bySlug({ slug: project.slug })).project.downloads).toHaveLength(1)
  expect((await fetch(`${host.url}/p/${project.slug}/feeds/feed.json`)).status).toBe(200)
  await projects.unlink({ id, downloadId: file.id })
  await projects.link({ id, file_id: file.id, platform: 'Android' })
  await collaborators.add({ id, username: 'bob' })
  expect((await clientAt(bob).projects.mine({})).projects).toHaveLength(1)
  expect((await collaborators.list({ id })).collaborators).toHaveLength(1)
  await collaborators.remove({ id, collaboratorId: 'bob' })
  const { post } = await posts.add({ id, content: '**New**' })
  await posts.update({ id, postId: post.post_id, content: 'Newer' })
  expect((await posts.list({ id })).posts).toMatchObject([{ content: 'Newer' }])
  await posts.remove({ id, postId: post.post_id })

  await files.setVisibility({ ...file, is_public: false })
  expect((await fetch(`${host.url}/api/files/${file.id}/download`)).status).toBe(404)
  await files.remove(file)
  await trash.restore(file)
  await files.remove(file)
  await projects.remove({ id })
  expect((await projects.listPublic({})).projects).toEqual([])
})

test('a host on Windows lets clients that send everything first read why an upload is refused', async () => {
  const { host, port } = await aHost()
  const { key } = await register({ url: host.url }, 'bob')
  for (const [size, code] of [
    [120 * MB, 'quota_exceeded'],
    [300 * MB, 'quota_exceeded'],
  ] as const) {
    const client = await RawClient.connect(port)
    client.socket.pause()
    client.head(port, 'PUT /api/files/upload/a.apk', {
      'X-API-Key': key,
      'Content-Length': String(size),
    })
    const piece = Buffer.alloc(512 * KB)
    for (let sent = 0; sent < size; sent += piece.length)
      await new Promise((resolve) => client.socket.write(piece.subarray(0, size - sent), resolve))
    client.socket.resume()
    expect((await client.reply()).body).toContain(code)
  }
})
