import { expect } from 'vitest'
import { MB } from '../../../server/contract'
import { aFile } from '../../support/world/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { refusal } from '../../support/network/reply'
import { test } from '../../support/world/http'
import { MINUTE } from '../../support/world/test-clock'
import { alices } from '../../support/network/tus'

test('bytes on a full disk evict the sender’s own trash first, then the oldest', async ({
  server,
  alice,
  bob,
}) => {
  const size = { bytes: new Uint8Array(3 * MB) }
  const inTrash = async (who: typeof alice, filename: string) => {
    const { file_id: id } = await aFile(server, who, { filename, ...size })
    await server.as(who).files.remove({ id })
  }
  await inTrash(alice, 'old.bin')
  await inTrash(alice, 'new.bin')
  await inTrash(bob, 'own.bin')
  const left = async () =>
    [...server.inside.trash.ownedBy(alice.id), ...server.inside.trash.ownedBy(bob.id)].map(
      ({ name }) => name,
    )
  // As a disk does, this one has the more room the less is in the trash.
  let written = 0
  server.inside.blobs.free = () =>
    Promise.resolve(64 * MB + (9 * MB - server.inside.trash.bytes) - written)

  await aFile(server, bob, { filename: 'first.bin', ...size })
  written = 3 * MB
  expect(await left()).toEqual(['new.bin', 'old.bin'])
  await aFile(server, bob, { filename: 'second.bin', ...size })
  expect(await left()).toEqual(['new.bin'])
})

test('an upload without a byte expires in an hour with its quota', async ({ server, clock }) => {
  const { alice, client, as } = await alices(server)
  const [empty, begun] = [await client.begin(50 * MB), await client.begin(5)]
  await client.patch(begun, 0, 'by')
  clock.advance(60 * MINUTE)

  expect((await client.head(empty)).status).toBe(410)
  await server.inside.resumable.sweep()

  expect(server.inside.quota.held(alice.id)).toBe(5)
  expect((await as.uploads.list({})).uploads).toMatchObject([{ offset: 2 }])
  await as.uploads.discard({ id: begun.split('/').at(-1)! })
  expect(await keptBytes(server)).toEqual(NOTHING_KEPT)
  await expect(as.uploads.info({ id: empty.split('/').at(-1)! })).rejects.toMatchObject(
    refusal('not_found'),
  )
})
