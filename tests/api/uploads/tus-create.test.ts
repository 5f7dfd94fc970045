import { describe, expect } from 'vitest'
import { GB } from '../../../server/contract'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import { MINUTE } from '../../support/world/test-clock'
import { alices, metadata } from '../../support/network/tus'

describe('uploads.protocol: OPTIONS', () => {
  test('describes the protocol to everyone', async ({ server }) => {
    const response = await server.fetch('/api/uploads', { method: 'OPTIONS' })

    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-max-size': String(2 * GB),
      'tus-extension': 'creation,expiration,termination',
    })
  })
})

describe('uploads.create', () => {
  test('answers where to resume, and until when', async ({ server, clock }) => {
    const { client, alice } = await alices(server)

    const response = await client.create(5, {
      'upload-metadata': metadata({ filename: 'ä.apk', is_public: 'true' }),
    })

    const { upload } = (await response.json()) as { upload: { upload_id: string } }
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe(`/api/uploads/${upload.upload_id}`)
    expect(response.headers.get('tus-resumable')).toBe('1.0.0')
    expect(Date.parse(response.headers.get('upload-expires')!)).toBe(
      clock.now().getTime() + 60 * MINUTE,
    )
    expect(upload).toMatchObject({
      filename: 'ä.apk',
      is_public: true,
      size: 5,
      offset: 0,
      file_id: null,
    })
    expect(server.inside.quota.held(alice.id)).toBe(5)
  })

  test('refuses wrong lengths and metadata, and keeps nothing', async ({ server }) => {
    const { client } = await alices(server)
    const about = (values: Record<string, string>) => ({
      'upload-metadata': metadata({ filename: 'x', ...values }),
    })
    for (const [headers, code, field] of [
      [{ 'upload-length': '' }, 'invalid_input', 'upload-length'],
      [{ 'upload-length': '', 'upload-defer-length': '1' }, 'invalid_input', 'upload-length'],
      [{ 'upload-length': '-1' }, 'invalid_input', 'upload-length'],
      [{ 'upload-length': '0' }, 'invalid_input', 'file'],
      [{ 'upload-metadata': '' }, 'invalid_input', 'upload-metadata'],
      [{ 'upload-metadata': 'is_public dHJ1ZQ==' }, 'invalid_input', 'filename'],
      // No base64, no UTF-8, and a key twice.
      [{ 'upload-metadata': 'filename ?' }, 'invalid_input', 'Upload-Metadata'],
      [{ 'upload-metadata': 'filename /w==' }, 'invalid_input', 'Upload-Metadata'],
      [{ 'upload-metadata': 'filename eA==,filename eQ==' }, 'invalid_input', 'Upload-Metadata'],
      [about({ is_public: 'perhaps' }), 'invalid_input', 'is_public'],
      [about({ project_id: 'nowhere' }), 'not_found'],
      // The name that a raw upload has for it.
      [about({ project: 'nowhere' }), 'not_found'],
      [about({ sha256: 'abc' }), 'invalid_input', 'sha256'],
      [{ 'upload-concat': 'partial' }, 'invalid_input', 'Upload-Concat'],
    ] as const)
      expect
        .soft([headers, await replyOf(client.create(5, headers))])
        .toEqual([headers, problem(code, field)])
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })

  test('names its version where it refuses another', async ({ server }) => {
    const { client } = await alices(server)
    const response = await client.create(5, { 'tus-resumable': '2.0.0' })

    expect([response.status, response.headers.get('tus-version')]).toEqual([412, '1.0.0'])
    expect(response.headers.get('tus-resumable')).toBe('1.0.0')
  })

  test('refuses bytes in the same request', async ({ server }) => {
    const { client } = await alices(server)
    const type = { 'content-type': 'application/offset+octet-stream' }

    expect(await replyOf(client.create(5, type, 'by'))).toEqual(problem('unsupported_media_type'))
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })
})
