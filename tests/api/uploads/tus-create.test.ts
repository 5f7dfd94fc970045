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

    const response = await client.create(5, { 'upload-metadata': metadata({ filename: 'ä.apk', is_public: 'true' }) })

    const { upload } = (await response.json()) as { upload: { upload_id: string } }
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe(`/api/uploads/${upload.upload_id}`)
    expect(response.headers.get('tus-resumable')).toBe('1.0.0')
    expect(Date.parse(response.headers.get('upload-expires')!)).toBe(clock.now().getTime() + 60 * MINUTE)
    expect(upload).toMatchObject({ filename: 'ä.apk', is_public: true, size: 5, offset: 0, file_id: null })
    expect(server.inside.quota.held(alice.id)).toBe(5)
  })

  test.for([
    ['no length', { 'upload-length': '' }, problem('invalid_input', 'upload-length')],
    [
      'a length that is to come later',
      { 'upload-length': '', 'upload-defer-length': '1' },
      problem('invalid_input', 'upload-length'),
    ],
    ['a length of -1', { 'upload-length': '-1' }, problem('invalid_input', 'upload-length')],
    ['an empty file', { 'upload-length': '0' }, problem('invalid_input', 'file')],
    ['no metadata', { 'upload-metadata': '' }, problem('invalid_input', 'upload-metadata')],
    ['no filename', { 'upload-metadata': 'is_public dHJ1ZQ==' }, problem('invalid_input', 'filename')],
    ['metadata that is no base64', { 'upload-metadata': 'filename ?' }, problem('invalid_input', 'Upload-Metadata')],
    ['metadata that is no UTF-8', { 'upload-metadata': 'filename /w==' }, problem('invalid_input', 'Upload-Metadata')],
    ['a key twice', { 'upload-metadata': 'filename eA==,filename eQ==' }, problem('invalid_input', 'Upload-Metadata')],
    [
      'a word for is_public',
      { 'upload-metadata': metadata({ filename: 'x', is_public: 'perhaps' }) },
      problem('invalid_input', 'is_public'),
    ],
    [
      'a project that is not there',
      { 'upload-metadata': metadata({ filename: 'x', project_id: 'nowhere' }) },
      problem('not_found'),
    ],
    [
      'one that is not there, by the name that a raw upload has for it',
      { 'upload-metadata': metadata({ filename: 'x', project: 'nowhere' }) },
      problem('not_found'),
    ],
    [
      'a digest that is none',
      { 'upload-metadata': metadata({ filename: 'x', sha256: 'abc' }) },
      problem('invalid_input', 'sha256'),
    ],
    ['a part of a file', { 'upload-concat': 'partial' }, problem('invalid_input', 'Upload-Concat')],
  ] as const)('refuses %s, and keeps nothing', async ([, headers, expected], { server }) => {
    const { client } = await alices(server)

    expect(await replyOf(client.create(5, headers))).toEqual(expected)
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
