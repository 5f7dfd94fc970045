import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Bucket } from '../../../../server/data/bucket/copies/bucket'
import { BucketBlobs } from '../../../../server/cluster/blobs/bucket-blobs'
import { openBlobBucket } from '../../../../server/cluster/blob-bucket'
import { PrimaryBlobs } from '../../../../server/cluster/blobs/primary-blobs'
import { someBlob } from '../../../support/bucket/blobs'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../../support/bucket/engine'
import { tempDir } from '../../../support/system/temp-dir'

/** More than the store copies in one request. */
const CHUNKS = 300
const CHUNK_BYTES = 1024 * 1024

let engine: Engine
beforeAll(async () => void (engine = await sharedEngine()))

describe.skipIf(noEngine)(withEngine('large blobs in a bucket'), () => {
  test('the public copy of 300 MiB is made inside the store, in parts', async () => {
    const blobBucket = await openBlobBucket(await engine.makeBucket(), engine.keys)
    onTestFinished(() => blobBucket.session.close())
    const dir = await tempDir()
    const confirm = () => Promise.resolve()
    const blobs = await BucketBlobs.open({ dir, blobBucket, now: () => new Date(), confirm })
    const draft = await blobs.begin({ leastBytes: CHUNKS * CHUNK_BYTES })
    const chunks = Array.from({ length: CHUNKS }, () => randomBytes(CHUNK_BYTES))
    await pipeline(Readable.from(chunks), draft.stream)
    const { blobId, size, sha256 } = await draft.publish()
    const whole = createHash('sha256')
    for (const chunk of chunks) whole.update(chunk)
    expect(sha256).toBe(whole.digest('hex'))

    const place = { ...blobBucket.session.place, prefix: 'public/' }
    const bucket = await Bucket.open(place, engine.keys)
    onTestFinished(() => bucket.close())
    const open = () => Promise.reject(new Error('no byte was to be read'))
    const source = { ...someBlob(0), blobId, size, sha256, open }
    const { signal } = new AbortController()
    await bucket.copy(
      { ...source, copyInside: new PrimaryBlobs(blobBucket).copierInside(place, source) },
      { parts: [] },
      { signal },
    )
    expect(await bucket.hash(blobId, size, signal)).toBe(sha256)
  })
})
