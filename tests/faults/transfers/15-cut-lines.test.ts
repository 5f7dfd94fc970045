import { randomBytes, randomInt } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { MB } from '../../../server/contract'
import { cuttingRelay } from '../support/cutting-relay'
import { run } from '../../support/system/debian'
import { aFile, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { alices, offsetOf, patching } from '../../support/network/tus'
import { sendByTus } from '../../support/network/tus-upload'
import { rounds } from '../../support/system/rounds'
import { sha256 } from '../../support/system/sha256'

const CUTS = rounds(200, 8)
/** The bytes that a proxy passes before it closes the connection. */
const PROXY = rounds(100 * MB, 2 * MB)

test(`15: an upload cut ${CUTS} times at a random byte keeps what counted, and is the same`, async ({
  server,
}) => {
  const { alice, client, as } = await alices(server)
  const bytes = randomBytes(4_000_000)
  const address = await client.begin(bytes.length)
  let offset = 0
  for (let cut = 0; cut < CUTS && offset < bytes.length; cut++) {
    const sent = Math.min(bytes.length - offset - 1, randomInt(1, (2 * bytes.length) / CUTS))
    const raw = await patching(server, alice, address, offset, bytes.length - offset)
    raw.write(bytes.subarray(offset, offset + sent))
    await pause(randomInt(15))
    raw.close()
    const next = await offsetOf(client, address)
    expect(next).toBeGreaterThanOrEqual(offset)
    expect(next).toBeLessThanOrEqual(offset + sent)
    offset = next
  }
  const last = await client.patch(address, offset, bytes.subarray(offset))

  const { file } = await as.files.info({ id: last.headers.get('slipway-file-id')! })
  expect(file).toMatchObject({ size: bytes.length, sha256: sha256(bytes) })
})

/**
 * curl, going on with what it has, until it has all; a reply that is cut in its head is a success
 * to it. The Host is the true one, as behind a plain wire.
 */
async function downloaded(
  { port }: TestServer,
  url: string,
  saved: string,
  bytes: number,
): Promise<Buffer> {
  const args = ['-sS', '-C', '-', '-H', `Host: 127.0.0.1:${port}`, '-o', saved, url]
  const sizeNow = () =>
    stat(saved).then(
      ({ size }) => size,
      () => 0,
    )
  for (let tries = 0; tries < 2 * CUTS && (await sizeNow()) < bytes; tries++)
    await run('curl', args).catch(() => undefined)
  return readFile(saved)
}

test(`15: a download cut ${CUTS} times and resumed is the same file, counted once`, async ({
  server,
  folder,
}) => {
  const bytes = randomBytes(8_000_000)
  const { file_id } = await aFile(server, await aUser(server, 'alice'), { bytes, is_public: true })
  const toClient = () => (line.cuts < CUTS ? randomInt(300, (2 * bytes.length) / CUTS) : Infinity)
  const line = await cuttingRelay(server.port, { toClient })

  const got = await downloaded(
    server,
    `${line.url}/api/files/${file_id}/download`,
    join(folder, 'saved'),
    bytes.length,
  )

  expect(line.cuts).toBeGreaterThan(CUTS / 4)
  expect(got.equals(bytes)).toBe(true)
  expect(server.inside.counts.downloadsOfFile(file_id)).toBe(1)
})

test(`15: a proxy that closes connections at ${PROXY} bytes lets files pass`, async ({
  server,
  folder,
}) => {
  const alice = await aUser(server, 'alice', { tier: 'Enterprise' })
  const bytes = randomBytes(2.5 * PROXY)
  const [up, down] = [
    await cuttingRelay(server.port, { toHost: () => PROXY }),
    await cuttingRelay(server.port, { toClient: () => PROXY }),
  ]

  const { fileId } = await sendByTus(server, alice, bytes, { endpoint: up.url })
  await server.as(alice).files.setVisibility({ id: fileId, is_public: true })
  const got = await downloaded(
    server,
    `${down.url}/api/files/${fileId}/download`,
    join(folder, 'saved'),
    bytes.length,
  )
  const zipped = `/api/files/zip/download?ids=${fileId}`
  const whole = Buffer.from(await (await server.fetch(zipped)).arrayBuffer())
  const zip = await downloaded(server, down.url + zipped, join(folder, 'zip'), whole.length)

  expect(up.cuts).toBeGreaterThanOrEqual(2)
  expect(down.cuts).toBe(4)
  expect((await server.as(alice).files.info({ id: fileId })).file.sha256).toBe(sha256(bytes))
  expect(got.equals(bytes)).toBe(true)
  expect(zip.equals(whole)).toBe(true)
})
