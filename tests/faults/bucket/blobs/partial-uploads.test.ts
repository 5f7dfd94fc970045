import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PartialUploads } from '../../../../server/data/blobs/blob-store'
import { DiskBlobs } from '../../../../server/data/blobs/disk-blobs'
import { noEngine, sharedEngine, type Engine } from '../../../support/bucket/engine'
import { aCluster, Upload } from '../../../support/bucket/uploads'
import { tempDir } from '../../../support/system/temp-dir'
import { sha256 } from '../../../support/system/sha256'

let engine: Engine
beforeAll(async () => {
  if (noEngine === undefined) engine = await sharedEngine()
})

interface Store {
  partial: PartialUploads
  /** Of the bytes of a published upload. */
  hashOf: (upload: Upload) => Promise<string>
}

const stores = {
  'a disk': async (): Promise<Store> => {
    const blobs = await DiskBlobs.open(await tempDir())
    const hashOf = async ({ record }: Upload) => {
      await using file = await blobs.open(record.blobId)
      return sha256(await file.readFile())
    }
    return { partial: blobs.partial, hashOf }
  },
  ...(noEngine === undefined && {
    'a bucket': async (): Promise<Store> => {
      const { masters, host } = await aCluster(engine)
      const hashOf = ({ record: { blobId, size } }: Upload) => masters.calls.hash(`blobs/${blobId}`, size)
      return { partial: host(), hashOf }
    },
  }),
}

describe.each(Object.entries(stores))('uploads in turns on %s', (_, open) => {
  test('turns make one file, whatever was dropped between them', async () => {
    const { partial, hashOf } = await open()
    const upload = await Upload.begin(partial, randomBytes(300_000))
    await upload.send(partial, 100_000)
    await expect(upload.send(partial, 150_000, { isTooLong: true })).rejects.toThrow('too long')
    expect(upload.record.offset).toBe(100_000)
    await upload.send(partial, 1)
    await upload.send(partial)

    expect(await partial.isLost(upload.record)).toBe(false)
    const { blobId, size } = upload.record
    expect(await upload.publish(partial)).toEqual({ blobId, size, sha256: sha256(upload.bytes) })
    expect(await hashOf(upload)).toBe(sha256(upload.bytes))
  })

  test('what is published can be published again, and what a check refuses stays', async () => {
    const { partial } = await open()
    const upload = await Upload.begin(partial, Buffer.from('bytes'))
    await upload.send(partial)
    const refuse = () => {
      throw new Error('not these')
    }
    await expect(partial.draft(upload.record).publish(refuse)).rejects.toThrow('not these')
    expect(await partial.isLost(upload.record)).toBe(false)
    const first = await upload.publish(partial)
    expect(await upload.publish(partial)).toEqual(first)
    expect(await partial.isLost(upload.record)).toBe(false)
    await partial.remove(upload.record)
    expect(await partial.isLost(upload.record)).toBe(true)
  })
})
