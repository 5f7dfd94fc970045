import { describe, expect } from 'vitest'
import { GB, KB, MB } from '../../../server/contract'
import { aFullQuota, aUser } from '../../support/world/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { filePart, multipartBody, multipartType } from '../../support/multipart'
import { TusClient } from '../../support/network/tus'
import { RawClient } from '../../support/network/raw-client'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { sendUpload, uploadForm } from '../../support/world/upload'
import type { UserRecord } from '../../../server/data/records/account-records'

const uploadOf = (server: TestServer, user: UserRecord, size: number) =>
  replyOf(sendUpload(server.fetchAs(user), uploadForm(new File([new Uint8Array(size)], 'big.bin'))))

/** Chunked, so that the length is unknown. */
function uploadWithoutLength(server: TestServer, user: UserRecord, size: number) {
  const body = new Blob([multipartBody(filePart(Buffer.alloc(size), 'big.bin'))]).stream()
  const headers = { 'content-type': multipartType }
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  return replyOf(server.fetchAs(user)('/api/files/upload', init))
}

/** Announces a body of so many bytes and sends none of it. */
async function announced(server: TestServer, user: UserRecord, length: number) {
  const headers = {
    'X-API-Key': await server.keyOf(user),
    'Content-Type': multipartType,
    'Content-Length': `${length}`,
  }
  const client = await RawClient.connect(server.port)
  const { status, body } = await client.head(server.port, 'POST /api/files/upload', headers).reply()
  client.close()
  return { status, body: JSON.parse(body) as unknown }
}

describe('the quota of a Free account is 100 MB', () => {
  test('a file that fills it to the last byte is taken, and then none is', async ({
    server,
    alice,
  }) => {
    await aFullQuota(server, alice, 300 * KB)

    expect(await uploadOf(server, alice, 300 * KB)).toMatchObject({ status: 201 })
    expect(await uploadOf(server, alice, 1)).toEqual(problem('quota_exceeded', 'file'))
    expect((await server.as(alice).storage.stats({})).stats).toMatchObject({
      used: 100 * MB,
      percentage: 100,
    })
  })

  test('a file of one byte more is refused', async ({ server, alice }) => {
    await aFullQuota(server, alice, 300 * KB)

    expect(await uploadOf(server, alice, 300 * KB + 1)).toEqual(problem('quota_exceeded', 'file'))
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })

  test('is that of the account’s tier', async ({ server }) => {
    const basic = await aUser(server, 'basic', { tier: 'Basic' })
    await aFullQuota(server, basic, 0)

    expect(await uploadOf(server, basic, 1)).toMatchObject({ status: 201 })
  })

  test('a file that says it is larger is refused before it is sent', async ({ server, alice }) => {
    expect(await announced(server, alice, 101 * MB)).toEqual(problem('quota_exceeded', 'file'))
  })

  test('a file that does not say its size is refused on the way', async ({ server, alice }) => {
    await aFullQuota(server, alice, 2 * MB)

    expect(await uploadWithoutLength(server, alice, 3 * MB)).toEqual(
      problem('quota_exceeded', 'file'),
    )
    expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  })
})

test('refuses a file declared larger than 2 GB, on any tier', async ({ server }) => {
  const big = await aUser(server, 'big', { tier: 'Enterprise' })

  expect(await announced(server, big, 2049 * MB)).toEqual(problem('too_large', 'file'))
})

test('takes files up to the setting “Largest file”, which refusals name', async ({ server }) => {
  const big = await aUser(server, 'big', { tier: 'Enterprise' })
  const client = server.as(big)
  await server.inside.settings.update({ largest_file: 6 * GB })
  const announce = (length: number) => replyOf(TusClient.of(server, big).create(length))

  expect((await client.storage.stats({})).stats.largest_file).toBe(6 * GB)
  expect((await client.host.about({})).host.largest_file).toBe(6 * GB)
  expect(
    (await server.fetch('/api/uploads', { method: 'OPTIONS' })).headers.get('tus-max-size'),
  ).toBe(`${6 * GB}`)
  expect(await announced(server, big, 6 * GB + 257 * KB)).toEqual(problem('too_large', 'file'))
  expect((await announce(6 * GB)).status).toBe(201)
  expect(await announce(6 * GB + 1)).toMatchObject({
    status: 413,
    body: { error: 'The file is larger than 6 GB' },
  })
})
