import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DiskBlobs } from '../../../../server/data/blobs/disk-blobs'
import type { BlobStore, UploadBytes } from '../../../../server/data/blobs/blob-store'
import { freshBlobs } from '../../../support/data/temp-blobs'

const created = async ({ partial }: BlobStore, size: number): Promise<UploadBytes> => ({
  ...(await partial.create()),
  size,
  offset: 0,
})

test('a sweep deletes abandoned files and spares new ones', async () => {
  const { dir, blobs } = await freshBlobs()
  const fresh = await created(blobs, 5)
  const later = await DiskBlobs.open(dir)
  const recorded = await created(later, 5)

  await blobs.partial.sweep((blobId) => (blobId === recorded.blobId ? recorded : undefined))
  expect((await readdir(join(dir, 'uploads'))).sort()).toEqual(
    [fresh.blobId, recorded.blobId].sort(),
  )
  await later.partial.sweep(() => undefined)
  expect(await readdir(join(dir, 'uploads'))).toEqual([recorded.blobId])
})

test('an id that is none becomes no path', async () => {
  const { blobs } = await freshBlobs()

  await expect(
    blobs.partial.isLost({ blobId: '../secrets.json', size: 1, offset: 0 }),
  ).rejects.toThrow('Not a blob ID')
})
