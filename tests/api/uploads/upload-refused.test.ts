import { describe, expect } from 'vitest'
import { aUser } from '../../support/world/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { fieldPart, filePart, multipartBody, multipartType } from '../../support/multipart'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { sendUpload, uploadForm } from '../../support/world/upload'

const aSmallFile = new File(['x'], 'x.txt')

async function send(server: TestServer, init: RequestInit) {
  const alice = server.inside.users.byName('alice') ?? (await aUser(server, 'alice'))
  return replyOf(server.fetchAs(alice)('/api/files/upload', { method: 'POST', ...init }))
}

const sendBody = (server: TestServer, body: Buffer<ArrayBuffer>) =>
  send(server, { body, headers: { 'content-type': multipartType } })

test('an upload without a file gets an error that asks for one', async ({ server }) => {
  const { body } = await send(server, { body: uploadForm(undefined, { version: '1.0' }) })
  expect(body).toMatchObject({ error: expect.stringMatching(/^Choose a file to upload/) as string })
})

describe('files.upload refuses', () => {
  test('wrong fields, and keeps nothing', async ({ server, alice }) => {
    const file = (fields: Parameters<typeof uploadForm>[1]) => uploadForm(aSmallFile, fields)
    for (const [form, code, field] of [
      [uploadForm(undefined, {}), 'file_missing', 'file'],
      [uploadForm(new File([], 'empty.txt')), 'invalid_input', 'file'],
      [file({ is_public: ['true', 'false'] }), 'invalid_input', 'is_public'],
      [file({ version: '1'.repeat(65) }), 'invalid_input', 'version'],
      [file({ platform: 'x'.repeat(33) }), 'invalid_input', 'platform'],
      [file({ project_id: '../x' }), 'invalid_input', 'project_id'],
    ] as const)
      expect
        .soft(await replyOf(sendUpload(server.fetchAs(alice), form)))
        .toEqual(problem(code, field))

    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })

  test('malformed forms, and keeps nothing', async ({ server }) => {
    const upload = {
      header: ['Content-Disposition: form-data; name="upload"; filename="a.txt"'],
      body: 'x',
    }
    const fields = Array.from({ length: 30 }, (_, index) => fieldPart(`f${index}`, 'x'))

    for (const [what, body, code, field] of [
      [
        'two files',
        multipartBody(filePart('one', 'a.txt'), filePart('two', 'b.txt')),
        'invalid_input',
        'file',
      ],
      ['a file under another name', multipartBody(upload), 'file_missing', 'file'],
      [
        'a file that is only text',
        multipartBody(fieldPart('file', 'just text')),
        'file_missing',
        'file',
      ],
      [
        'a file without a name, as an empty form sends it',
        multipartBody(filePart('', '')),
        'file_missing',
        'file',
      ],
      [
        'a field of 70 KB',
        multipartBody(fieldPart('version', 'x'.repeat(70_000)), filePart('x')),
        'too_large',
      ],
      ['30 fields', multipartBody(...fields, filePart('x')), 'too_large'],
      [
        'a header of 1 MB',
        multipartBody(filePart('x', 'x.txt', `X-Long: ${'x'.repeat(1_000_000)}`)),
        'too_large',
      ],
      [
        'rot13',
        multipartBody(filePart('x', 'x.txt', 'Content-Transfer-Encoding: rot13')),
        'invalid_input',
      ],
      [
        'a body that ends early',
        multipartBody(filePart('bytes')).subarray(0, -20),
        'invalid_input',
      ],
      ['a body that is no form', Buffer.from('hello'), 'invalid_input'],
    ] as const)
      expect.soft([what, await sendBody(server, body)]).toEqual([what, problem(code, field)])

    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })

  test('other content types, and a request without a body', async ({ server }) => {
    for (const [type, code] of [
      ['multipart/form-data', 'invalid_input'],
      ['application/json', 'unsupported_media_type'],
      ['multipart/mixed; boundary=b', 'unsupported_media_type'],
    ] as const)
      expect
        .soft(await send(server, { headers: { 'content-type': type }, body: '{}' }))
        .toEqual(problem(code))

    expect(await send(server, { headers: { 'content-type': multipartType } })).toMatchObject({
      status: 400,
    })
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })

  test('a project that is deleted during the upload', async ({
    server,
    alice,
    project: { slug },
  }) => {
    const { publishing } = server.inside
    const publish = publishing.publish.bind(publishing)
    publishing.publish = async (...given) => {
      const blob = await publish(...given)
      await server.as(alice).projects.remove({ id: slug })
      return blob
    }

    const reply = await replyOf(
      sendUpload(server.fetchAs(alice), uploadForm(aSmallFile, { project_id: slug })),
    )

    expect(reply).toEqual(problem('not_found'))
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })
})
