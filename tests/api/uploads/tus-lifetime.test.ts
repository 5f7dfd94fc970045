import { describe, expect } from 'vitest'
import { aProject, aUser } from '../../support/world/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { refusal, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import { DAY, MINUTE } from '../../support/world/test-clock'
import { alices, metadata, offsetOf, TusClient } from '../../support/network/tus'
import { sha256 } from '../../support/system/sha256'

describe('uploads.info: HEAD and GET', () => {
  test('report the offset and the metadata of an unfinished upload', async ({ server }) => {
    const { client, as } = await alices(server)
    const about = metadata({ filename: 'x.apk', fingerprint: 'x.apk-5-1700', anything: 'else' })
    const address = await client.begin(5, { 'upload-metadata': about })
    await client.patch(address, 0, 'by')

    const response = await client.head(address)

    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...{
        'upload-offset': '2',
        'upload-length': '5',
        'upload-metadata': about,
        'cache-control': 'no-store',
      },
    })
    const { upload } = await as.uploads.info({ id: address.split('/').at(-1)! })
    expect(upload).toMatchObject({
      offset: 2,
      size: 5,
      fingerprint: 'x.apk-5-1700',
      file_id: null,
      linked: null,
    })
  })

  test('tell the file, once there is one', async ({ server }) => {
    const { client, as } = await alices(server)
    const address = await client.begin(5)
    const last = await client.patch(address, 0, 'bytes')

    const response = await client.head(address)

    expect([response.status, response.headers.get('upload-offset')]).toEqual([200, '5'])
    expect(response.headers.get('slipway-file-id')).toBe(last.headers.get('slipway-file-id'))
    const { upload } = await as.uploads.info({ id: address.split('/').at(-1)! })
    expect(upload.file_id).toBe(last.headers.get('slipway-file-id'))
    expect((await replyOf(client.patch(address, 5, 'x'))).status).toBe(413)
  })

  test('uploads of another person, or another project’s key, do not exist', async ({ server }) => {
    const { alice, client } = await alices(server)
    const [address, bob] = [await client.begin(5), TusClient.of(server, await aUser(server, 'bob'))]
    const [mine, other] = [await aProject(server, alice), await aProject(server, alice)]
    const bound = async (projectId: string) => {
      const grant = { scopes: ['upload'] as const, projectId }
      const { key } = await server.inside.apiKeys.create(alice.id, 'CI', null, grant)
      return new TusClient((to, init) => {
        const headers = { ...(init.headers as object), 'x-api-key': key }
        return server.fetch(to, { ...init, headers })
      })
    }
    const [ci, elsewhere] = [await bound(mine.project_id), await bound(other.project_id)]
    const ofCi = await ci.begin(5)

    for (const [who, where] of [
      [bob, address],
      [ci, address],
      [elsewhere, ofCi],
    ] as const) {
      const statuses = [
        await who.head(where),
        await who.patch(where, 0, 'bytes'),
        await who.discard(where),
      ]
      expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404])
    }
    expect((await ci.patch(ofCi, 0, 'bytes')).headers.get('slipway-linked')).toBe('true')
  })
})

describe('uploads.list', () => {
  test('has the caller’s unfinished ones, newest first', async ({ server }) => {
    const { client, as } = await alices(server)
    const [first, second] = [await client.begin(5), await client.begin(6)]
    await client.patch(await client.begin(1), 0, 'x')
    await TusClient.of(server, await aUser(server, 'bob')).begin(7)

    const { uploads, total } = await as.uploads.list({})

    expect(uploads.map(({ upload_id }) => `/api/uploads/${upload_id}`)).toEqual([second, first])
    expect(total).toBe(2)
    expect((await as.uploads.list({ limit: 1, offset: 1 })).uploads).toMatchObject([{ size: 5 }])
  })
})

describe('uploads.change', () => {
  test('changes what the file becomes, never shows its old visibility', async ({ server }) => {
    const { alice, client, as } = await alices(server)
    const [launch, draft] = [await aProject(server, alice), await aProject(server, alice)]
    const about = metadata({
      filename: 'x',
      is_public: 'true',
      project_id: launch.project_id,
      version: '1.0',
    })
    const address = await client.begin(5, { 'upload-metadata': about })
    const id = address.split('/').at(-1)!
    await client.patch(address, 0, 'by')

    const { upload } = await as.uploads.change({
      id,
      is_public: false,
      project_id: draft.slug,
      platform: 'Android',
    })
    const last = await client.patch(address, 2, 'tes')

    const { project_id } = draft
    expect(upload).toMatchObject({
      offset: 2,
      is_public: false,
      project_id,
      version: null,
      platform: 'Android',
    })
    const file_id = last.headers.get('slipway-file-id')!
    expect((await as.files.info({ id: file_id })).file).toMatchObject({
      is_public: false,
      sha256: sha256('bytes'),
    })
    expect((await as.projects.byId({ id: project_id })).project.downloads).toMatchObject([
      { file_id },
    ])
    expect((await as.projects.byId({ id: launch.project_id })).project.downloads).toEqual([])
    await expect(as.uploads.change({ id, is_public: true })).rejects.toMatchObject(refusal('gone'))
  })

  test('at the moment of the last byte: the file is private from the start, or the call fails', async ({
    server,
  }) => {
    const { client, as } = await alices(server)
    for (let round = 0; round < 20; round++) {
      const address = await client.begin(5, {
        'upload-metadata': metadata({ filename: 'x', is_public: 'true' }),
      })
      const id = address.split('/').at(-1)!
      const changing = as.uploads.change({ id, is_public: false }).then(
        () => true,
        () => false,
      )
      const [isChanged] = await Promise.all([
        changing,
        client.patch(address, 0, 'bytes').catch(() => undefined),
      ])
      const offset = await offsetOf(client, address)
      if (offset < 5) await client.patch(address, offset, 'bytes'.slice(offset))
      const { upload } = await as.uploads.info({ id })
      expect((await as.files.info({ id: upload.file_id! })).file.is_public).toBe(!isChanged)
    }
  })
})

describe('uploads.discard: DELETE', () => {
  test('gives everything back; a finished file stays', async ({ server }) => {
    const { client, as } = await alices(server)
    const [address, done] = [await client.begin(5), await client.begin(5)]
    await client.patch(address, 0, 'by')
    await client.patch(done, 0, 'bytes')

    await as.uploads.discard({ id: address.split('/').at(-1)! })
    const response = await client.discard(done)

    expect([response.status, response.headers.get('tus-resumable')]).toEqual([204, '1.0.0'])
    expect((await client.head(address)).status).toBe(404)
    expect(await keptBytes(server)).toEqual({ drafts: 0, blobs: 1, reserved: 0 })
    expect((await as.files.mine({})).total).toBe(1)
  })
})

describe('an abandoned upload', () => {
  test('expires 7 days after its last byte, returns everything', async ({ server, clock }) => {
    const { client, as } = await alices(server)
    const address = await client.begin(5)
    await client.patch(address, 0, 'b')
    clock.advance(6 * DAY)
    await client.patch(address, 1, 'y')
    clock.advance(7 * DAY - MINUTE)
    expect((await client.head(address)).status).toBe(200)
    clock.advance(MINUTE)

    expect((await client.head(address)).status).toBe(410)
    expect((await client.patch(address, 2, 'tes')).status).toBe(410)
    expect((await as.uploads.list({})).total).toBe(0)
    await server.inside.resumable.sweep()
    expect((await client.head(address)).status).toBe(404)
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })
})
