import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { MB } from '../../../server/contract'
import { aProject } from '../../support/world/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import { SECOND } from '../../support/world/test-clock'
import { alices, metadata, offsetOf } from '../../support/network/tus'
import { sha256 } from '../../support/system/sha256'

describe('uploads.append: PATCH', () => {
  test('resumes where it ended, and creates the file as uploads do', async ({ server }) => {
    const { alice, client, as } = await alices(server)
    const { slug, project_id } = await aProject(server, alice)
    const about = {
      filename: 'rocket-2.0.apk',
      project_id: slug,
      version: '2.0',
      platform: 'Android',
    }
    const address = await client.begin(5, {
      'upload-metadata': metadata({ ...about, sha256: sha256('bytes') }),
    })

    const first = await client.patch(address, 0, 'by')
    // Java has no PATCH.
    const last = await client.patch(address, 2, 'tes', { 'x-http-method-override': 'PATCH' })

    expect([
      first.status,
      first.headers.get('upload-offset'),
      first.headers.get('slipway-file-id'),
    ]).toEqual([204, '2', null])
    expect([
      last.status,
      last.headers.get('upload-offset'),
      last.headers.get('slipway-linked'),
    ]).toEqual([204, '5', 'true'])
    const digest = `sha-256=:${createHash('sha256').update('bytes').digest('base64')}:`
    expect([first, last].map(({ headers }) => headers.get('repr-digest'))).toEqual([null, digest])
    const { file } = await as.files.info({ id: last.headers.get('slipway-file-id')! })
    expect(file).toMatchObject({
      filename: 'rocket-2.0.apk',
      size: 5,
      sha256: sha256('bytes'),
      version: '2.0',
    })
    expect((await as.projects.byId({ id: project_id })).project.downloads).toMatchObject([
      { file_id: file.file_id, version: '2.0', platform: 'Android' },
    ])
    expect(await keptBytes(server)).toEqual({ drafts: 0, blobs: 1, reserved: 0 })
    expect(await (await server.fetchAs(alice)(`/api/files/${file.file_id}/download`)).text()).toBe(
      'bytes',
    )
  })

  test('two jobs that push one build at once get one file; a later push adds another', async ({
    server,
    clock,
  }) => {
    const { alice, client, as } = await alices(server)
    const { slug, project_id } = await aProject(server, alice)
    const about = { filename: 'rocket.apk', project_id: slug, version: '2.0' }
    const begin = (more = {}) =>
      client.begin(5, { 'upload-metadata': metadata({ ...about, ...more }) })
    const finish = async (address: string) =>
      (await client.patch(address, 0, 'bytes')).headers.get('slipway-file-id') ?? ''
    const addresses = [await begin(), await begin(), await begin({ is_public: 'true' })]

    const [first, second, shared] = await Promise.all(addresses.map(finish))
    expect(second).toBe(first)
    expect(shared).not.toBe(first)
    clock.advance(SECOND)
    const later = await finish(await begin())

    const { project } = await as.projects.byId({ id: project_id })
    expect(project.downloads.map(({ file_id }) => file_id).toSorted()).toEqual(
      [first, shared, later].toSorted(),
    )
    expect(await keptBytes(server)).toEqual({ drafts: 0, blobs: 3, reserved: 0 })
  })

  test('refuses wrong offsets, versions, types, lengths, and stays', async ({ server }) => {
    const { client, as } = await alices(server)
    const address = await client.begin(5)
    await client.patch(address, 0, 'by')

    for (const [offset, body, headers, code, field] of [
      [1, 'yt', {}, 'offset_mismatch', 'Upload-Offset'],
      [3, 'es', {}, 'offset_mismatch', 'Upload-Offset'],
      [0, 'tes', { 'upload-offset': '' }, 'invalid_input', 'upload-offset'],
      [0, 'tes', { 'upload-offset': '-1' }, 'invalid_input', 'upload-offset'],
      [2, 'tes', { 'tus-resumable': '' }, 'precondition_failed', 'Tus-Resumable'],
      [2, 'tes', { 'content-type': 'text/plain' }, 'unsupported_media_type'],
      [2, 'tes!', {}, 'too_large'],
    ] as const) {
      expect(await replyOf(client.patch(address, offset, body, headers))).toEqual(
        problem(code, field),
      )
      expect(await offsetOf(client, address)).toBe(2)
    }
    const last = await client.patch(address, 2, 'tes')
    const { file } = await as.files.info({ id: last.headers.get('slipway-file-id')! })
    expect(file.sha256).toBe(sha256('bytes'))
  })

  test('more bytes than there are to be, without a length, are dropped', async ({ server }) => {
    const { client } = await alices(server)
    // More than what counts already while it comes.
    const address = await client.begin(40 * MB)
    const body = new Blob([new Uint8Array(40 * MB + 1)]).stream()

    expect(await replyOf(client.patch(address, 0, body))).toEqual(problem('too_large'))
    expect(await offsetOf(client, address)).toBe(0)
  })

  test('refuses and discards bytes that do not match the announcement', async ({ server }) => {
    const { client } = await alices(server)
    const about = metadata({ filename: 'x', sha256: sha256('other') })
    const address = await client.begin(5, { 'upload-metadata': about })

    expect(await replyOf(client.patch(address, 0, 'bytes'))).toEqual(
      problem('digest_mismatch', 'file'),
    )
    expect((await client.head(address)).status).toBe(404)
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })

  test('keeps the file when its project was deleted in the meantime', async ({ server }) => {
    const { alice, client, as } = await alices(server)
    const { project_id } = await aProject(server, alice)
    const address = await client.begin(5, {
      'upload-metadata': metadata({ filename: 'x', project: project_id }),
    })
    expect((await as.uploads.list({})).uploads).toMatchObject([{ project_id }])
    await as.projects.remove({ id: project_id })

    const last = await client.patch(address, 0, 'bytes')

    expect([last.status, last.headers.get('slipway-linked')]).toEqual([204, 'false'])
    expect((await as.files.info({ id: last.headers.get('slipway-file-id')! })).file.filename).toBe(
      'x',
    )
  })
})
