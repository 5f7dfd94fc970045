import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { describe, expect } from 'vitest'
import type { File as FileReply } from '../../../server/contract'
import { aUser } from '../../support/world/factories'
import { fieldPart, filePart, multipartBody, multipartType } from '../../support/multipart'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { sha256 } from '../../support/system/sha256'

/** Sends a body written by hand. */
async function send(server: TestServer, body: Buffer<ArrayBuffer>): Promise<Response> {
  const alice = server.inside.users.byName('alice') ?? (await aUser(server, 'alice'))
  const headers = { 'content-type': multipartType }
  return server.fetchAs(alice)('/api/files/upload', { method: 'POST', headers, body })
}

const sent = async (server: TestServer, body: Buffer<ArrayBuffer>) =>
  ((await (await send(server, body)).json()) as { file: FileReply }).file

/** RFC 2046 §5.1.1: a line that begins like a delimiter is one. */
test('a delimiter within the file is refused, whatever follows it', async ({ server }) => {
  for (const next of ['-x', '\r', 'x']) {
    const body = multipartBody(filePart(Buffer.alloc(200_000, `\r\n--boundary-of-tests${next}`)))
    expect(await replyOf(send(server, body))).toEqual(problem('invalid_input'))
  }
  expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
})

describe('parts as other clients write them', () => {
  test('a file without a type is a file, and a field with one is a field', async ({ server }) => {
    const typed = fieldPart('is_public', 'true', 'Content-Type: text/plain; charset=utf-8')

    expect(await sent(server, multipartBody(typed, filePart('abc')))).toMatchObject({
      is_public: true,
      size: 3,
    })
  })

  test('transfer encodings that change nothing mean the bytes', async ({ server }) => {
    for (const encoding of ['binary', '7bit', '8BIT', 'utf-8']) {
      const line = `Content-Transfer-Encoding: ${encoding}`
      const body = multipartBody(
        fieldPart('version', '1.0-ü', line),
        filePart('grüße', 'a.txt', line),
      )
      expect(await sent(server, body)).toMatchObject({
        version: '1.0-ü',
        sha256: sha256(Buffer.from('grüße')),
      })
    }
  })

  test('base64 is decoded, wherever its lines end', async ({ server }) => {
    const bytes = randomBytes(100_000)
    const lines = bytes.toString('base64').replace(/(.{1,77})/g, '$1\r\n')
    const body = multipartBody(filePart(lines, 'a.bin', 'Content-Transfer-Encoding: base64'))

    expect(await sent(server, body)).toMatchObject({ size: 100_000, sha256: sha256(bytes) })
  })

  test('what precedes the first part and follows the last one is ignored', async ({ server }) => {
    const form = multipartBody(filePart('abc'))
    const body = Buffer.concat([Buffer.from('a preamble\r\n'), form, Buffer.from('an epilogue')])

    expect(await sent(server, body)).toMatchObject({ size: 3 })
  })
})

test('a preamble, header or parts without end are refused on the way', async ({ server }) => {
  const header = Array.from({ length: 40_000 }, (_, n) => `X-${n}: y`)
  const bodies = [
    Buffer.concat([
      Buffer.alloc(2_000_000, 'x'),
      Buffer.from('\r\n'),
      multipartBody(filePart('abc')),
    ]),
    multipartBody(filePart('abc', 'a.txt', ...header)),
    multipartBody(...Array.from({ length: 5000 }, (_, n) => fieldPart(`f${n}`, ''))),
  ]

  for (const body of bodies) expect(await replyOf(send(server, body))).toEqual(problem('too_large'))
})

test('cuts a request that continues endlessly after its form', async ({ server }) => {
  const form = multipartBody(filePart('abc'))
  const key = await server.keyOf(await aUser(server, 'alice'))
  const socket = connect(server.port, '127.0.0.1')
  const closed = new Promise((resolve) => socket.on('close', resolve).on('error', () => undefined))
  const head = `POST /api/files/upload HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX-API-Key: ${key}\r\n`
  const rest = `Content-Type: ${multipartType}\r\nTransfer-Encoding: chunked\r\n\r\n${form.length.toString(16)}\r\n`
  socket.write(Buffer.concat([Buffer.from(head + rest), form, Buffer.from('\r\n')]))
  const epilogue = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const flood = setInterval(() => socket.writable && socket.write(epilogue), 5)
  await closed
  clearInterval(flood)

  expect(server.inside.files.allPublic()).toEqual([])
  expect(server.inside.files.ownedBy(server.user('alice').id)).toEqual([])
})
