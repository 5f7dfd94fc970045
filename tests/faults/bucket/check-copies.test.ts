import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { beforeAll, describe, expect, onTestFinished } from 'vitest'
import { TRIAL, type BucketPlace } from '../../../server/data/bucket/bucket-choice'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../support/bucket/engine'
import { copyFile, test } from '../../support/bucket/copying-host'
import { DAY, MINUTE, SECOND, type TestClock } from '../../support/world/test-clock'

let engine: Engine
beforeAll(async () => void (engine = await sharedEngine()))

/** A client beside the host: a person at the provider's console, or another program. */
function consoleOf({ endpoint, region, bucket: Bucket, prefix }: BucketPlace) {
  const careful = { requestChecksumCalculation: 'WHEN_REQUIRED', maxAttempts: 1 } as const
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: engine.keys,
    ...careful,
  })
  onTestFinished(() => client.destroy())
  const at = (blobId: string) => ({ Bucket, Key: `${prefix}${blobId}` })
  return {
    remove: (blobId: string) => client.send(new DeleteObjectCommand(at(blobId))),
    put: (blobId: string, Body: Buffer, Metadata: Record<string, string> = {}) =>
      client.send(new PutObjectCommand({ ...at(blobId), Body, Metadata })),
    beginUpload: (blobId: string) => client.send(new CreateMultipartUploadCommand(at(blobId))),
    uploads: async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
      return Uploads.map(({ Key = '' }) => Key.slice(prefix.length))
    },
    names: async () => {
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix: prefix }),
      )
      return Contents.map(({ Key = '' }) => Key.slice(prefix.length)).sort()
    },
  }
}

/** Sets the clock of the host to that of the store, which dates its objects. */
const setRight = (clock: TestClock) => clock.setClock(Date.now() - clock.now().getTime())

describe.skipIf(noEngine)(withEngine('checks of copies'), () => {
  test('bucket emptied by hand: everything is copied again', async ({ host, clock }) => {
    const choice = await engine.makeBucket()
    await host.setUp(choice, engine.keys)
    const files = [await host.publish(), await host.publish(), await host.publish()]
    await host.allCopied()
    const { names, remove } = consoleOf(choice)
    const all = await names()
    expect(all).toEqual(files.map(host.blobIdOf).sort())
    await Promise.all(all.map(remove))
    expect(await names()).toEqual([])

    clock.advance(15 * SECOND)
    await expect.poll(names).toEqual(all)
    await host.allCopied()
    for (const file of files) await host.redirected(file)
    await expect.poll(() => host.view()).toMatchObject({ state: 'complete', problem: null })
  })

  test('leftovers go after an hour; objects of others stay', async ({ host, clock }) => {
    setRight(clock)
    const choice = await engine.makeBucket()
    const [ours, trial, another, foreign] = ['a', 'b', 'c', 'f'].map((it) => it.repeat(32)) as [
      string,
      string,
      string,
      string,
    ]
    const { names, put, beginUpload, uploads } = consoleOf(choice)
    await put(ours, Buffer.from('left by a crash'), { sha256: '0'.repeat(64), owner: host.id })
    await put(trial, Buffer.from('of a failed test'), { sha256: '0'.repeat(64), owner: TRIAL })
    await put(another, Buffer.from('of another host'), {
      sha256: '0'.repeat(64),
      owner: 'another-host',
    })
    await put(foreign, Buffer.from('not ours'))
    await put('notes.txt', Buffer.from('not ours'))
    await beginUpload(ours)
    const file = host.blobIdOf(await copyFile(host, engine, choice))
    await host.verify(false)
    await expect
      .poll(() => host.view().check)
      .toMatchObject({ running: null, last: { checked: 1 } })
    expect(await names()).toEqual([file, ours, trial, another, foreign, 'notes.txt'].sort())
    expect(await uploads()).toEqual([ours])

    clock.advance(DAY + MINUTE)
    await expect.poll(names).toEqual([file, foreign, another, 'notes.txt'].sort())
    await expect.poll(uploads).toEqual([])
  })
})
