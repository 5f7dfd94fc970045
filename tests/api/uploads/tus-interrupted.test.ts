import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { MB } from '../../../server/contract'
import { keptBytes } from '../../support/kept-bytes'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { alices, offsetOf, patching, TusClient } from '../../support/network/tus'
import type { UserRecord } from '../../../server/data/records/account-records'
import { sha256 } from '../../support/system/sha256'

/** Long enough that a busy machine does not make a client silent that sends all the time. */
const test = base.extend({ config: { patience: { silentMs: 1000 } } })

const underWay = ({ inside }: TestServer) => expect.poll(() => inside.transfers.count).toBe(1)

/** The same data folder under another server, and alice's client there. */
async function restarted(server: TestServer, user: UserRecord) {
  const headers = { 'x-api-key': await server.keyOf(user) }
  await server.close()
  const again = await server.restart()
  const fetchThere = (to: string, init: RequestInit = {}) =>
    fetch(new URL(to, again.url), { ...init, headers: { ...(init.headers as object), ...headers } })
  return { again, client: new TusClient(fetchThere), fetchThere }
}

describe('a connection that is cut', () => {
  test.for(['destroy', 'resetAndDestroy', 'end'] as const)(
    'in the middle of the first chunk, by %s: the bytes that arrived count',
    async (way, { server }) => {
      const { alice, client } = await alices(server)
      const address = await client.begin(32 * MB)
      const raw = await patching(server, alice, address, 0, 32 * MB)
      raw.write(randomBytes(5 * MB))
      // All but what came together with the head, and is not counted there.
      const least = 5 * MB - 64 * 1024
      await expect
        .poll(() => server.inside.transfers.list()[0]?.bytes)
        .toBeGreaterThanOrEqual(least)
      raw.socket[way]()

      expect(await offsetOf(client, address)).toBeGreaterThanOrEqual(least)
    },
  )

  test('on a slow line bytes count long before a chunk is full, so a crash takes seconds', async ({
    server,
  }) => {
    const { alice, client, as } = await alices(server)
    const address = await client.begin(32 * MB)
    const raw = await patching(server, alice, address, 0, 32 * MB)
    // All 32 MB take most of a minute, so even a slow machine looks before they have all arrived.
    const sending = setInterval(() => raw.write(Buffer.alloc(MB / 8)), 200)
    const id = address.split('/').at(-1)!
    const onDisk = async () => (await as.uploads.info({ id })).upload.offset

    await expect.poll(onDisk, { interval: 100 }).toBeGreaterThan(0)
    clearInterval(sending)
    expect(await onDisk()).toBeLessThan(32 * MB)
    raw.close()
  })
})

describe('two clients at one upload', () => {
  test('one works and the other has to wait', async ({ server }) => {
    const { alice, client } = await alices(server)
    const address = await client.begin(10_000)
    const raw = await patching(server, alice, address, 0, 10_000)
    const sending = setInterval(() => raw.write('x'), 100)
    await underWay(server)

    const second = await client.patch(address, 0, 'yy')
    clearInterval(sending)

    expect([second.status, second.headers.get('retry-after')]).toEqual([423, '3'])
    raw.close()
    await expect.poll(() => offsetOf(client, address)).toBeGreaterThan(0)
  })

  test('one that has fallen silent gives way, and is not heard then', async ({ server }) => {
    const { alice, client, as } = await alices(server)
    const address = await client.begin(5)
    const raw = await patching(server, alice, address, 0, 5)
    raw.write('by')
    await underWay(server)

    // On a busy machine the bytes come so late that the first HEAD waits in vain.
    await expect.poll(() => offsetOf(client, address)).toBe(2)
    raw.write('XXX')
    const last = await client.patch(address, 2, 'tes')

    const { file } = await as.files.info({ id: last.headers.get('slipway-file-id')! })
    expect(file.sha256).toBe(sha256(Buffer.from('bytes')))
  })

  test('at the same moment: one continues, the other gets the offset', async ({ server }) => {
    const { client, as } = await alices(server)
    const address = await client.begin(10)
    const all = await Promise.all([
      client.patch(address, 0, 'aaaaa'),
      client.patch(address, 0, 'bbbbb'),
    ])

    expect(all.map(({ status }) => status).sort()).toEqual([204, 409])
    expect(all.find(({ status }) => status === 409)?.headers.get('upload-offset')).toBe('5')
    const last = await client.patch(address, 5, 'ccccc')
    const { file } = await as.files.info({ id: last.headers.get('slipway-file-id')! })
    expect(file.sha256).toBe(
      sha256(Buffer.from(all[0].status === 204 ? 'aaaaaccccc' : 'bbbbbccccc')),
    )
  })

  test('discarding ends what is running', async ({ server }) => {
    const { alice, client } = await alices(server)
    const address = await client.begin(10_000)
    const raw = await patching(server, alice, address, 0, 10_000)
    raw.write('some')
    await underWay(server)

    expect((await client.discard(address)).status).toBe(204)
    await raw.closed
    expect(await keptBytes(server)).toEqual({ drafts: 0, blobs: 0, reserved: 0 })
  })
})

describe('a restart of the host', () => {
  test('keeps what was acknowledged, and what is held', async ({ server }) => {
    const { alice, client } = await alices(server)
    const bytes = randomBytes(300_000)
    const address = await client.begin(bytes.length)
    await client.patch(address, 0, bytes.subarray(0, 100_000))
    const { again, client: there, fetchThere } = await restarted(server, alice)

    expect(again.inside.quota.held(alice.id)).toBe(bytes.length)
    expect(await offsetOf(there, address)).toBe(100_000)
    const last = await there.patch(address, 100_000, bytes.subarray(100_000))
    const sent = await fetchThere(`/api/files/${last.headers.get('slipway-file-id')}/download`)
    expect(sha256(new Uint8Array(await sent.arrayBuffer()))).toBe(sha256(bytes))
    expect(again.inside.quota.held()).toBe(0)
  })

  test('keeps the bytes of a running upload without waiting for its end', async ({ server }) => {
    const { alice, client } = await alices(server)
    const address = await client.begin(10_000)
    const raw = await patching(server, alice, address, 0, 10_000)
    await underWay(server)
    raw.write(Buffer.alloc(4000))
    await expect.poll(() => server.inside.transfers.list()[0]?.bytes).toBeGreaterThanOrEqual(4000)

    const { client: there } = await restarted(server, alice)

    expect(await offsetOf(there, address)).toBe(4000)
  })

  test('between the bytes and the record: the next request gets the file', async ({ server }) => {
    const { alice, client } = await alices(server)
    const address = await client.begin(5)
    const { uploads, blobs } = server.inside
    await client.patch(address, 0, 'byte')
    const upload = uploads.find(address.split('/').at(-1)!)!
    const file = await blobs.partial.write(upload, {})
    file.end('s')
    const safe = await file.settle()
    await file.close()
    await uploads.advance(upload.id, safe)
    await blobs.partial.draft({ ...upload, ...safe }).publish()
    const { again, client: there } = await restarted(server, alice)

    const response = await there.head(address)

    expect([response.status, response.headers.get('upload-offset')]).toEqual([200, '5'])
    const found = again.inside.files.find(response.headers.get('slipway-file-id')!)
    expect(found).toMatchObject({ sha256: sha256(Buffer.from('bytes')) })
  })

  test('forgets the upload when its bytes are gone', async ({ server }) => {
    const { alice, client } = await alices(server)
    const address = await client.begin(5)
    await client.patch(address, 0, 'by')
    await rm(join(server.dataDir, 'uploads'), { recursive: true })
    const { again, client: there } = await restarted(server, alice)

    expect((await there.head(address)).status).toBe(404)
    expect(again.inside.quota.held()).toBe(0)
  })
})
