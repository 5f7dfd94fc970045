import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { LIMITS } from '../../../server/data/bucket/bound-replies'
import { Bucket } from '../../../server/data/bucket/copies/bucket'
import { copy } from '../../../server/data/bucket/copies/copy'
import { S3Calls } from '../../../server/data/bucket/s3-calls'
import { S3Session } from '../../../server/data/bucket/s3-session'
import { tryBucket } from '../../../server/data/bucket/try-bucket'
import { someBlob } from '../../support/bucket/blobs'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../support/bucket/engine'

const BLOB = 'ab'.repeat(16)
const fails = (kind: string) => expect.objectContaining({ kind }) as Error

let engine: Engine
beforeAll(async () => void (engine = await sharedEngine()))

describe.skipIf(noEngine)(withEngine('a bucket that refuses'), () => {
  test('tries a bucket step by step, and leaves nothing behind', async () => {
    const choice = await engine.makeBucket()

    expect(await tryBucket(choice, engine.keys)).toEqual(
      ['put', 'read', 'head', 'delete'].map((step) => ({ step, problem: null, detail: null })),
    )
    const everything = await Bucket.open(choice, engine.keys)
    expect(await everything.list().next()).toMatchObject({ done: true })
    expect(await everything.unfinished().next()).toMatchObject({ done: true })
  })

  test('tells a missing object from a missing bucket and from refused keys', async () => {
    const choice = await engine.makeBucket()
    const bucket = await Bucket.open(choice, engine.keys)
    const noBucket = await Bucket.open({ ...choice, bucket: 'no-such-bucket' }, engine.keys)
    const noKey = await Bucket.open(choice, { ...engine.keys, secretAccessKey: 'another' })

    expect(await bucket.head(BLOB)).toBeUndefined()
    await expect(noBucket.head(BLOB)).rejects.toThrow(fails('no_bucket'))
    await expect(noKey.head(BLOB)).rejects.toThrow(fails('key_refused'))
  })

  test.each([20, -20])('says by how much this clock is off: %i minutes', async (minutes) => {
    const choice = await engine.makeBucket()
    const bucket = await Bucket.open(choice, engine.keys)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
    onTestFinished(() => void vi.useRealTimers())

    const refused = await bucket.head(BLOB).catch((error: unknown) => error)
    expect(refused).toMatchObject({ kind: 'clock' })
    const { clockOffMs = 0 } = refused as { clockOffMs?: number }
    expect(Math.round(clockOffMs / 60_000)).toBe(minutes)
    // The SDK would correct its own clock from here on, and visitors would still be refused.
    await expect(bucket.head(BLOB)).rejects.toThrow(fails('clock'))
    await expect(bucket.copy(someBlob(10), { parts: [] }, signalled())).rejects.toThrow(
      fails('clock'),
    )
  })

  test('blames a clock 10 minutes behind for an address that has expired', async () => {
    const choice = await engine.makeBucket()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 10 * 60_000 })
    onTestFinished(() => void vi.useRealTimers())

    const failed = (await tryBucket(choice, engine.keys)).filter(({ problem }) => problem !== null)
    expect(failed).toMatchObject([{ step: 'read', problem: 'clock' }])
  })

  test('waits for a silent store, 30 s if not told otherwise, then works again', async () => {
    expect(LIMITS.silenceMs).toBe(30_000)
    const session = new S3Session(await engine.makeBucket(), engine.keys, {
      ...LIMITS,
      silenceMs: 3000,
    })
    onTestFinished(() => session.close())
    const calls = new S3Calls(session)
    expect(await calls.head(BLOB)).toBeUndefined()

    engine.pause()
    onTestFinished(() => engine.resume())
    const [head, copied] = await Promise.allSettled([
      calls.head(BLOB),
      copy(calls, someBlob(), { parts: [] }, signalled()),
    ])
    engine.resume()

    expect(head).toMatchObject({ reason: { kind: 'slow', detail: 'No byte for 30 s' } })
    expect(copied).toMatchObject({ reason: { kind: 'slow' } })
    expect(await calls.head(BLOB)).toBeUndefined()
  })
})

const signalled = () => ({ signal: new AbortController().signal })
