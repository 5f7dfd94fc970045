import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { MB } from '../../../server/contract'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { filePart, multipartBody, multipartType } from '../../support/multipart'
import { RawClient } from '../../support/network/raw-client'
import { slowUpload } from '../../support/network/slow-upload'
import { test } from '../../support/world/http'

const curl = promisify(execFile)

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

describe('an upload that may not be', () => {
  test('an upload by curl with Expect: 100-continue gets no 100 Continue', async ({ server }) => {
    const path = join(server.dataDir, '..', 'big.bin')
    await writeFile(path, Buffer.alloc(8 * MB))
    const args = [
      '--silent',
      '--show-error',
      '--include',
      '--form',
      `file=@${path}`,
      '--header',
      'Expect: 100-continue',
      '--expect100-timeout',
      '60',
    ]

    const { stdout } = await curl('curl', [
      ...args,
      '--write-out',
      '\n%{size_upload}',
      `${server.url}/api/files/upload`,
    ])

    expect(stdout).toMatch(/^HTTP\/1\.1 401 /)
    expect(stdout).toContain('"code":"sign_in_required"')
    expect(stdout).toMatch(/\n0$/)
  })
})

describe('a Content-Length that is not true', () => {
  test('closes the connection when the body of an upload exceeds its Content-Length', async ({ server, alice }) => {
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
