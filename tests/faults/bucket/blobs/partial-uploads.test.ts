import { beforeAll, describe, expect, test } from 'vitest'
import type { PartialUploads } from '../../../../server/data/blobs/blob-store'
import { DiskBlobs } from '../../../../server/data/blobs/disk-blobs'
import { noEngine, sharedEngine, type Engine } from '../../../support/bucket/engine'
import { aCluster, Upload } from '../../../support/bucket/uploads'
import { tempDir } from '../../../support/system/temp-dir'

let engine: Engine
beforeAll(async () => {
  if (noEngine === undefined) engine = await sharedEngine()
})

const stores = {
  'a disk': async (): Promise<PartialUploads> => (await DiskBlobs.open(await tempDir())).partial,
  ...(noEngine === undefined && { 'a bucket': async () => (await aCluster(engine)).host() }),
}

describe.each(Object.entries(stores))('uploads in turns on %s', (_, open) => {
  test('what is published can be published again, and what a check refuses stays', async () => {
    const partial = await open()
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
