import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { File as FileReply } from '../../../server/contract'
import { WINDOW_HEADER } from '../../../server/contract/host/desktop'
import { aFile, aUser } from '../../support/world/factories'
import { opened } from '../../support/network/http-get'
import { problem, replyOf } from '../../support/network/reply'
import { test as base } from '../../support/world/http'

const SIZE = 12_000_000
const bytes = randomBytes(SIZE)

/**
 * A server that limits transfers, with one public file that is too large for the system's buffers.
 */
const limited = base.extend({
  config: { rateLimits: true },
  settings: { transfers_per_address: 3 },
})
const test = limited.extend<{ file: FileReply & { path: string } }>({
  file: async ({ server }, use) => {
    const file = await aFile(server, await aUser(server, 'alice'), { bytes, is_public: true })
    await use({ ...file, path: `/api/files/${file.file_id}/download` })
  },
})

test('limits concurrent downloads per address, but not HEAD or 304', async ({ server, file }) => {
  const running = await Promise.all([1, 2, 3].map(() => opened(server, file.path)))
  const refused = await server.fetch(file.path)
  const unchanged = await server.fetch(file.path, {
    headers: { 'if-none-match': `"${file.sha256}"` },
  })
  const head = await server.fetch(file.path, { method: 'HEAD' })
  const atWindow = await opened(server, file.path, {
    [WINDOW_HEADER]: 'the secret of the app window',
  })

  expect([unchanged.status, head.status, server.inside.transfers.count]).toEqual([304, 200, 4])
  expect(refused.headers.get('retry-after')).toBe('10')
  expect(await replyOf(refused)).toEqual(problem('too_many_requests'))
  expect((await buffer(atWindow)).equals(bytes)).toBe(true)
  running[0]?.destroy()
  await expect
    .poll(async () => (await server.fetch(file.path, { headers: { range: 'bytes=0-9' } })).status)
    .toBe(206)
  for (const response of running.slice(1)) expect((await buffer(response)).equals(bytes)).toBe(true)
})

test('limits that the host sets or removes apply to transfers', async ({
  server,
  file,
  atWindow: { client },
}) => {
  await client.settings.change({
    bytes_per_second_per_visitor: 1_000_000,
    transfers_per_address: 1,
  })
  const response = await opened(server, file.path)
  let got = 0
  response.on('data', (chunk: Buffer) => (got += chunk.length))
  const ended = new Promise((resolve) => response.on('end', resolve))
  await expect.poll(() => got).toBeGreaterThan(200_000)

  expect(got).toBeLessThan(SIZE / 2)
  expect((await server.fetch(file.path)).status).toBe(429)
  const { settings } = await client.settings.change({ bytes_per_second_per_visitor: null })
  await ended
  expect(got).toBe(SIZE)
  expect(settings).toMatchObject({ bytes_per_second_per_visitor: null, transfers_per_address: 1 })
})

test('frees the place of a throttled visitor at once when they leave', async ({ server, file }) => {
  const { settings, transfers: runningTransfers } = server.inside
  await settings.update({ bytes_per_second_in_all: 1024 })
  const response = await opened(server, file.path)
  response.destroy()
  await expect.poll(() => runningTransfers.count).toBe(0)

  expect((await server.fetch(file.path, { method: 'HEAD' })).status).toBe(200)
})

test('an upload shares the line too: as a form, as bytes, and in turns', async ({ server }) => {
  const { settings, transfers: running } = server.inside
  const limit = (bytesPerSecondPerVisitor: number | null) =>
    settings.update({ bytes_per_second_per_visitor: bytesPerSecondPerVisitor })
  const owner = await aUser(server, 'bob')
  const tus = { 'Tus-Resumable': '1.0.0', 'Upload-Metadata': `filename ${btoa('y.bin')}` }
  const begin = { method: 'POST', headers: { ...tus, 'Upload-Length': String(SIZE) } }
  const { headers: created } = await server.fetchAs(owner)('/api/uploads', begin)
  const turn = { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
  const ways = [
    () => aFile(server, owner, { bytes }),
    () => server.fetchAs(owner)('/api/files/upload/x.bin', { method: 'PUT', body: bytes }),
    () =>
      server.fetchAs(owner)(created.get('location') ?? '', {
        method: 'PATCH',
        headers: turn,
        body: bytes,
      }),
  ]
  for (const send of ways) {
    await limit(100_000)
    const sending = send()
    await expect.poll(() => running.list()[0]?.bytes ?? 0).toBeGreaterThan(0)
    expect(running.list()[0]?.bytes).toBeLessThan(SIZE / 2)
    await limit(null)
    await sending
  }
  const { files } = await server.as(owner).files.mine({})
  expect(files.map(({ size }) => size)).toEqual([SIZE, SIZE, SIZE])
})
