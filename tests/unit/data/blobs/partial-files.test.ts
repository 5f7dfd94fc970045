import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DiskBlobs } from '../../../../server/data/blobs/disk-blobs'
import { everything, freshBlobs } from './temp-blobs'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Writes bytes in one request. Returns the size of the file on disk afterwards. */
async function turn({ partial }: DiskBlobs, blobId: string, start: number, bytes: Uint8Array) {
  const file = await partial.write(blobId, { start, onBytes: () => undefined })
  file.end(Buffer.from(bytes))
  const settled = await file.settle()
  await file.close()
  return settled
}

test('consecutive requests make one file, with any rollbacks between them', async () => {
  const { blobs } = await freshBlobs()
  const bytes = randomBytes(3_000_000)
  const blobId = await blobs.partial.create()
  expect(await turn(blobs, blobId, 0, bytes.subarray(0, 1_500_000))).toBe(1_500_000)
  blobs.partial.accept(blobId, 1_000_000)
  await turn(blobs, blobId, 1_000_000, randomBytes(2_500_000))
  blobs.partial.accept(blobId, 1_000_000)
  await turn(blobs, blobId, 1_000_000, bytes.subarray(1_000_000))

  const published = await blobs.partial.draft(blobId, bytes.length).publish()

  expect(published).toMatchObject({ blobId, size: bytes.length, sha256: sha256(bytes) })
  expect((await everything(blobs, blobId)).equals(bytes)).toBe(true)
})

test('what is published can be published again, and what a check refuses stays', async () => {
  const { blobs } = await freshBlobs()
  const blobId = await blobs.partial.create()
  await turn(blobs, blobId, 0, Buffer.from('bytes'))
  const refuse = () => {
    throw new Error('not these')
  }

  await expect(blobs.partial.draft(blobId, 5).publish(refuse)).rejects.toThrow('not these')
  expect(await blobs.partial.readSize(blobId)).toBe(5)
  const first = await blobs.partial.draft(blobId, 5).publish()
  expect(await blobs.partial.draft(blobId, 5).publish()).toEqual(first)
  expect(await blobs.partial.readSize(blobId)).toBe(5)
})

test('a sweep deletes abandoned files and spares new ones', async () => {
  const { dir, blobs } = await freshBlobs()
  const fresh = await blobs.partial.create()
  const later = await DiskBlobs.open(dir)
  const wanted = await later.partial.create()

  expect(await blobs.partial.sweep((blobId) => blobId === wanted)).toBe(0)
  expect(await later.partial.sweep(() => false)).toBe(1)
  expect(await readdir(join(dir, 'uploads'))).toEqual([wanted])
  expect(fresh).not.toBe(wanted)
})

test('an id that is none becomes no path', async () => {
  const { blobs } = await freshBlobs()

  await expect(blobs.partial.readSize('../secrets.json')).rejects.toThrow('Not a blob ID')
})
