import { describe, expect } from 'vitest'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { filePart, multipartBody, multipartType } from '../../support/multipart'
import { RawClient } from '../../support/network/raw-client'
import { slowUpload } from '../../support/network/slow-upload'
import { test } from '../../support/world/http'

describe('a client that goes away in the middle of a file', () => {
  test('leaves nothing behind', async ({ server, alice }) => {
    const leaving = new AbortController()
    const slow = slowUpload(server, { 'x-api-key': await server.keyOf(alice) }, leaving.signal)
    await expect.poll(() => server.inside.quota.held(alice.id)).toBeGreaterThan(0)

    leaving.abort()

    await expect(slow.status).rejects.toThrow('aborted')
    await expect.poll(() => keptBytes(server)).toEqual(NOTHING_KEPT)
  })

  test('closes its half of the connection, and nothing stays either', async ({ server, alice }) => {
    const body = multipartBody(filePart('x'.repeat(100_000)))
    const client = await RawClient.connect(server.port)
    client.head(server.port, 'POST /api/files/upload', {
      'X-API-Key': await server.keyOf(alice),
      'Content-Type': multipartType,
      'Content-Length': String(body.length),
    })
    client.write(body.subarray(0, 50_000))
    await expect.poll(() => server.inside.quota.held(alice.id)).toBeGreaterThan(0)

    client.socket.end()

    await client.closed
    await expect.poll(() => keptBytes(server)).toEqual(NOTHING_KEPT)
  })
})

describe('a Content-Length that is not true', () => {
  test('closes the connection when the body of an upload exceeds its Content-Length', async ({
    server,
    alice,
  }) => {
    const body = multipartBody(filePart('bytes'))
    const client = await RawClient.connect(server.port)
    client.head(server.port, 'POST /api/files/upload', {
      'X-API-Key': await server.keyOf(alice),
      'Content-Type': multipartType,
      'Content-Length': String(body.length - 20),
    })
    client.write(body)

    expect((await client.reply()).status).toBe(400)
    await client.closed
    await expect.poll(() => keptBytes(server)).toEqual(NOTHING_KEPT)
  })
})
