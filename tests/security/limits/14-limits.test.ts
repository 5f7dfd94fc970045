import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test as plain } from 'vitest'
import { KB, MAX_UPLOAD_BYTES, MB } from '../../../server/contract'
import { Host } from '../../faults/support/host'
import { fetchAt, register } from '../../faults/support/publisher'
import { named, noRoot } from '../../faults/support/rounds'
import { aSmallDisk } from '../../faults/support/volume'
import { aUser } from '../../support/factories'
import { filePart, multipartBody, multipartType } from '../../support/multipart'
import { RawClient } from '../../support/network/raw-client'
import { json, problem, replyOf } from '../../support/network/reply'
import { test as base, type TestServer } from '../../support/test-server'
import { sendUpload, uploadForm } from '../../support/upload'

const limits = { requestsPerHour: 1000, uploadsPerHour: 1000, failedSignInsPerAccount: 2, failedSignInsPerAddress: 4 }
const test = base.extend({ config: { rateLimits: true }, settings: { limits } })

/** Sends the head of an upload with a good key; returns the answer, which may be 100 Continue. */
async function headOf(server: TestServer, headers: Record<string, string>, line = 'POST /api/files/upload') {
  const big = await aUser(server, 'big', { tier: 'Enterprise' })
  const client = await RawClient.connect(server.port)
  const good = { 'X-API-Key': await server.keyOf(big), 'Content-Type': multipartType, Expect: '100-continue' }
  const { status } = await client.head(server.port, line, { ...good, ...headers }).reply()
  client.close()
  return status
}

const around = multipartBody(filePart('', 'big.bin')).length
const lengthOf = (fileBytes: number) => ({ 'Content-Length': String(around + fileBytes) })

describe('an upload that is announced', () => {
  test.for([
    ['without a length', {}, 411],
    ['with 2 GB less one byte', lengthOf(MAX_UPLOAD_BYTES - 1), 100],
    ['with 2 GB', lengthOf(MAX_UPLOAD_BYTES), 100],
    ['with more than a form around 2 GB can be', lengthOf(MAX_UPLOAD_BYTES + 257 * KB), 413],
    ['with 9 EB', { 'Content-Length': '9223372036854775807' }, 413],
    ['with a length below zero', { 'Content-Length': '-1' }, 400],
    ['as JSON', { 'Content-Type': 'application/json', 'Content-Length': '10' }, 415],
  ] as const)('%s', async ([, headers, status], { server }) => {
    expect(await headOf(server, headers)).toBe(status)
  })
})

describe('the bytes of a file that are announced', () => {
  test.for([
    ['2 GB less one', MAX_UPLOAD_BYTES - 1, 100],
    ['2 GB', MAX_UPLOAD_BYTES, 100],
    ['2 GB and one', MAX_UPLOAD_BYTES + 1, 413],
  ] as const)('%s', async ([, bytes, status], { server }) => {
    const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': `${bytes}` }

    expect(await headOf(server, headers, 'PUT /api/files/upload/big.bin')).toBe(status)
  })
})

describe('the code of a refusal', () => {
  const login = (server: TestServer, init: RequestInit) => replyOf(server.fetch('/api/auth/login', init))

  test('400: the input is wrong', async ({ server }) => {
    expect(await login(server, json('POST', { username: 1, password: 'x' }))).toEqual(
      problem('invalid_input', 'username'),
    )
  })

  test('413: the body is larger than any of our forms', async ({ server }) => {
    expect(await login(server, json('POST', { username: 'x'.repeat(300 * KB) }))).toEqual(problem('too_large'))
  })

  test('415: the body is not JSON', async ({ server }) => {
    expect(await login(server, { method: 'POST', body: 'username=alice' })).toEqual(problem('unsupported_media_type'))
  })

  test('422: the bytes are not those of the digest', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    const init = { method: 'PUT', body: 'other bytes', headers: { 'x-content-sha256': '0'.repeat(64) } }

    expect(await replyOf(server.fetchAs(alice)('/api/files/upload/a.txt', init))).toMatchObject({ status: 422 })
  })

  test('429: too often', async ({ server }) => {
    const wrong = () => login(server, json('POST', { username: 'alice', password: 'wrong' }))
    await wrong()
    await wrong()

    expect(await wrong()).toEqual(problem('too_many_requests'))
  })

  test('403: the quota is full', async ({ server }) => {
    const alice = await aUser(server, 'alice')
    const form = uploadForm(new File([new Uint8Array(101 * MB)], 'big.bin'))

    expect(await replyOf(sendUpload(server.fetchAs(alice), form))).toEqual(problem('quota_exceeded', 'file'))
  })
})

plain.skipIf(noRoot !== undefined)(named('507: the disk is full'), async () => {
  const dir = join(await aSmallDisk(60), 'data')
  await mkdir(dir, { mode: 0o700 })
  const host = await Host.start(dir)
  onTestFinished(() => host.kill())
  const place = await register(host)

  const form = uploadForm(new File(['x'], 'x.txt'))

  expect(await replyOf(sendUpload(fetchAt(place), form))).toEqual(problem('disk_full'))
})
