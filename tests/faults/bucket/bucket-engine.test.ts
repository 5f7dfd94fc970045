import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { beforeAll, describe, expect, test } from 'vitest'
import type { BucketChoice, BucketKeys } from '../../../server/data/bucket/bucket-choice'
import { noEngine, startEngine, withEngine, type Engine } from '../../support/bucket/engine'

let engine: Engine
beforeAll(async () => {
  engine = await startEngine()
  return engine.close
})

function clientOf({ endpoint, region }: BucketChoice, keys: BucketKeys): S3Client {
  const careful = { requestChecksumCalculation: 'WHEN_REQUIRED', maxAttempts: 1 } as const
  return new S3Client({ endpoint, region, forcePathStyle: true, credentials: keys, ...careful })
}

describe.skipIf(noEngine)(withEngine('the object store of the tests'), () => {
  test('keeps objects while its gateway is killed and started again', async () => {
    const choice = await engine.makeBucket()
    const client = clientOf(choice, engine.keys)
    await client.send(new PutObjectCommand({ Bucket: choice.bucket, Key: 'one', Body: 'bytes' }))

    await engine.kill()
    await expect(fetch(engine.endpoint)).rejects.toThrow()
    await engine.revive()

    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: choice.bucket }))
    expect(Contents?.map(({ Key }) => Key)).toEqual(['one'])
  })

  test('stays silent while it is paused', async () => {
    engine.pause()
    const asked = fetch(engine.endpoint).then(({ status }) => status)
    const first = await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 500, 'silence'))])
    engine.resume()

    expect(first).toBe('silence')
    expect(await asked).toBe(200)
  })

  test('refuses to write with keys that may only read', async () => {
    const choice = await engine.makeBucket()
    const client = clientOf(choice, await engine.readOnlyKeys())

    await client.send(new ListObjectsV2Command({ Bucket: choice.bucket }))
    const refused = client.send(new PutObjectCommand({ Bucket: choice.bucket, Key: 'two', Body: 'bytes' }))
    await expect(refused).rejects.toThrow(expect.objectContaining({ name: 'AccessDenied' }))
  })

  test('records the headers of each request', async () => {
    const { bucket } = await engine.makeBucket()
    await fetch(`${engine.endpoint}/${bucket}/three`, { headers: { 'x-api-key': 'secret', range: 'bytes=1-2' } })

    await expect.poll(async () => (await engine.requests()).at(-1)).toMatch(/three.*bytes=1-2.*secret/i)
  })
})
