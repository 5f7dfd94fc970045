import { describe, expect } from 'vitest'
import { aProject, aUser } from '../../support/world/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { fieldPart, filePart, multipartBody, multipartType } from '../../support/multipart'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { sendUpload, uploadForm } from '../../support/world/upload'

const aSmallFile = new File(['x'], 'x.txt')

async function send(server: TestServer, init: RequestInit) {
  const alice = await aUser(server, 'alice')
  return replyOf(server.fetchAs(alice)('/api/files/upload', { method: 'POST', ...init }))
}

const sendBody = (server: TestServer, body: Buffer<ArrayBuffer>) =>
  send(server, { body, headers: { 'content-type': multipartType } })

test('an upload without a file says that one has to be chosen', async ({ server }) => {
  const { body } = await send(server, { body: uploadForm(undefined, { version: '1.0' }) })
  expect(body).toMatchObject({ error: expect.stringMatching(/^Choose a file to upload/) as string })
})

describe('files.upload refuses', () => {
  test.for([
    ['nothing at all', uploadForm(undefined, {}), problem('file_missing', 'file')],
    ['a file that is empty', uploadForm(new File([], 'empty.txt')), problem('invalid_input', 'file')],
    [
      'is_public twice',
      uploadForm(aSmallFile, { is_public: ['true', 'false'] }),
      problem('invalid_input', 'is_public'),
    ],
    [
      'a version of 65 characters',
      uploadForm(aSmallFile, { version: '1'.repeat(65) }),
      problem('invalid_input', 'version'),
    ],
    [
      'a platform of 33 characters',
      uploadForm(aSmallFile, { platform: 'x'.repeat(33) }),
      problem('invalid_input', 'platform'),
    ],
    [
      'a project that is a path',
      uploadForm(aSmallFile, { project_id: '../x' }),
      problem('invalid_input', 'project_id'),
    ],
  ] as const)('%s', async ([, form, expected], { server }) => {
    const alice = await aUser(server, 'alice')

    expect(await replyOf(sendUpload(server.fetchAs(alice), form))).toEqual(expected)
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })

  test.for([
    ['two files', multipartBody(filePart('one', 'a.txt'), filePart('two', 'b.txt')), problem('invalid_input', 'file')],
    [
      'a file under another name',
      multipartBody({ header: ['Content-Disposition: form-data; name="upload"; filename="a.txt"'], body: 'x' }),
      problem('file_missing', 'file'),
    ],
    ['a file that is only text', multipartBody(fieldPart('file', 'just text')), problem('file_missing', 'file')],
    [
      'a file without a name, as an empty form sends it',
      multipartBody(filePart('', '')),
      problem('file_missing', 'file'),
    ],
    ['a field of 70 KB', multipartBody(fieldPart('version', 'x'.repeat(70_000)), filePart('x')), problem('too_large')],
    [
      '30 fields',
      multipartBody(...Array.from({ length: 30 }, (_, index) => fieldPart(`f${index}`, 'x')), filePart('x')),
      problem('too_large'),
    ],
    [
      'a part header of 1 MB',
      multipartBody(filePart('x', 'x.txt', `X-Long: ${'x'.repeat(1_000_000)}`)),
      problem('too_large'),
    ],
    [
      'an unknown transfer encoding',
      multipartBody(filePart('x', 'x.txt', 'Content-Transfer-Encoding: rot13')),
      problem('invalid_input'),
    ],
    ['a body that ends early', multipartBody(filePart('bytes')).subarray(0, -20), problem('invalid_input')],
    ['a body that is no form', Buffer.from('hello'), problem('invalid_input')],
  ] as const)('%s', async ([, body, expected], { server }) => {
    expect(await sendBody(server, body)).toEqual(expected)
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })

  test.for([
    ['no boundary', 'multipart/form-data', problem('invalid_input')],
    ['JSON', 'application/json', problem('unsupported_media_type')],
    ['multipart of another kind', 'multipart/mixed; boundary=b', problem('unsupported_media_type')],
  ] as const)('%s as the type', async ([, type, expected], { server }) => {
    expect(await send(server, { headers: { 'content-type': type }, body: '{}' })).toEqual(expected)
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })

  test('a request without a body', async ({ server }) => {
    expect(await send(server, { headers: { 'content-type': multipartType } })).toMatchObject({ status: 400 })
  })

  test('a project that goes away in the last moment', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    const { slug } = await aProject(server, alice)
    const { publishing } = server.inside
    const publish = publishing.publish.bind(publishing)
    publishing.publish = async (...given) => {
      const blob = await publish(...given)
      await server.as(alice).projects.remove({ id: slug })
      return blob
    }

    const reply = await replyOf(sendUpload(server.fetchAs(alice), uploadForm(aSmallFile, { project_id: slug })))

    expect(reply).toEqual(problem('not_found'))
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })
})
