import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../../server/core/clock'
import { UploadLostError } from '../../../../server/data/blobs/blob-store'
import { BytesBucket } from '../../../../server/cluster/folder/bytes-bucket'
import { BucketPartials } from '../../../../server/cluster/appends/bucket-partials'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../../support/bucket/engine'
import { aRefusingRelay } from '../../../support/bucket/refusing-relay'
import { aCluster, all, keysIn, PART, Upload } from '../../../support/bucket/uploads'
import { named, noRoot, rounds } from '../../../support/system/rounds'
import { aSmallDisk } from '../../support/volume'
import { sha256 } from '../../../support/system/sha256'

const MIB = 1024 * 1024
const WEEK_LATER = () => new Date(Date.now() + 8 * DAY_MS)

let engine: Engine
beforeAll(async () => void (engine = await sharedEngine()))

/** After a week nothing is left but the blob. */
async function expectOnly(
  { blobBucket, host }: Awaited<ReturnType<typeof aCluster>>,
  upload: Upload,
): Promise<void> {
  await host({ now: WEEK_LATER }).sweep((blobId) =>
    blobId === upload.record.blobId ? upload.record : undefined,
  )
  await expect.poll(() => keysIn(blobBucket)).toEqual([`blobs/${upload.record.blobId}`])
  expect(await all(blobBucket.calls.uploads())).toEqual([])
  expect(await blobBucket.calls.hash(`blobs/${upload.record.blobId}`, upload.bytes.length)).toBe(
    sha256(upload.bytes),
  )
}

const aTurn = fc.record({
  length: fc.integer({ min: 1, max: 2 * PART }),
  chunk: fc.constantFrom(100, 7000, PART, 3 * PART),
  isTooLong: fc.boolean(),
  cutAfter: fc.option(fc.integer({ min: 0, max: 8 })),
  arrives: fc.boolean(),
  /** Another host goes on. */
  isTakenOver: fc.boolean(),
  /** Whether bytes go to the bucket at every chance, as on a slow line. */
  isSlow: fc.boolean(),
})

describe.skipIf(noEngine)(withEngine('uploads in turns on a bucket'), () => {
  test('parts go there as they fill, each once; the object is proven without reading it', async () => {
    const relay = await aRefusingRelay(engine.endpoint)
    const cluster = await aCluster(engine, relay.endpoint)
    const host = cluster.host({ partBytes: 16 * MIB })
    const upload = await Upload.begin(host, randomBytes(41 * MIB + 12_345))
    for (const length of [20 * MIB, 1, Infinity])
      await upload.send(host, length, { chunk: 256 * 1024 })
    const { blobId, size } = upload.record
    expect(await upload.publish(host)).toEqual({ blobId, size, sha256: sha256(upload.bytes) })

    await expect.poll(() => relay.asked.filter((what) => what === 'DELETE piece')).toHaveLength(2)
    expect(relay.asked.filter((what) => what !== 'DELETE piece')).toEqual([
      ...['POST blob', 'PUT part 1', 'PUT piece', 'PUT piece', 'GET piece', 'GET piece'],
      ...['PUT part 2', 'PUT part 3', 'POST blob', 'HEAD blob'],
    ])
    await expectOnly(cluster, upload)
  })

  test(
    'any turns, cuts, roll-backs and take-overs: no acknowledged byte is asked for again, and the file is whole',
    { timeout: 600_000 },
    async () => {
      const relay = await aRefusingRelay(engine.endpoint)
      const cluster = await aCluster(engine, relay.endpoint)
      const sizes = fc.integer({ min: 1, max: 5 * PART })
      const property = fc.asyncProperty(
        sizes,
        fc.array(aTurn, { maxLength: 8 }),
        async (size, turns) => {
          let host = cluster.host()
          const upload = await Upload.begin(host, randomBytes(size))
          for (const { length, cutAfter, arrives, isTakenOver, isSlow, ...how } of turns) {
            if (upload.isComplete) break
            if (isTakenOver) host = cluster.host(isSlow ? { safeEveryMs: 0 } : {})
            if (cutAfter !== null) relay.refuseAfter(cutAfter, arrives)
            const before = upload.acknowledged
            await upload.send(host, length, how).catch((cause: unknown) => {
              expect(['BucketError', 'AppError']).toContain((cause as Error).name)
            })
            relay.refuseAfter(Infinity)
            expect(upload.record.offset).toBeGreaterThanOrEqual(before)
            expect(await host.isLost(upload.record)).toBe(false)
          }
          while (!upload.isComplete) await upload.send(host)
          expect((await upload.publish(host)).sha256).toBe(sha256(upload.bytes))
          await expectOnly(cluster, upload)
          await cluster.blobBucket.calls.remove(`blobs/${upload.record.blobId}`)
        },
      )
      await fc.assert(property, { numRuns: rounds(300, 6), endOnFailure: true })
    },
  )

  test('an upload that the store has completed is published, even if the store refuses to complete it again', async () => {
    const relay = await aRefusingRelay(engine.endpoint)
    const host = (await aCluster(engine, relay.endpoint)).host()
    const upload = await Upload.begin(host, randomBytes(PART + 1))
    await upload.send(host)
    const first = await upload.publish(host)
    relay.refused = 'POST blob'
    expect(await upload.publish(host)).toEqual(first)
  })

  test('another host resumes an upload whose host died at any step', async () => {
    const relay = await aRefusingRelay(engine.endpoint)
    const cluster = await aCluster(engine, relay.endpoint)
    const bytes = randomBytes(2 * PART + 500)
    const begin = async () => {
      const host = cluster.host()
      const upload = await Upload.begin(host, bytes)
      const run = async () => {
        for (const length of [40_000, 30_000, Infinity]) await upload.send(host, length)
        await upload.publish(host)
      }
      return { upload, run }
    }
    const whole = await begin()
    relay.refuseAfter(Infinity)
    await whole.run()
    const steps = relay.asked.length
    expect(steps).toBeGreaterThanOrEqual(9)
    for (let cutAfter = 0; cutAfter < steps; cutAfter += rounds(1, 4)) {
      for (const arrives of [false, true]) {
        const { upload, run } = await begin()
        relay.refuseAfter(cutAfter, arrives)
        await run().catch(() => undefined)
        relay.refuseAfter(Infinity)
        const next = cluster.host()
        expect(await next.isLost(upload.record)).toBe(false)
        expect(upload.record.offset).toBeGreaterThanOrEqual(upload.acknowledged)
        while (!upload.isComplete) await upload.send(next)
        expect((await upload.publish(next)).sha256, `cut after ${cutAfter}`).toBe(sha256(bytes))
        await next.remove(upload.record)
      }
    }
    await cluster.host().remove(whole.upload.record)
    await cluster.host({ now: WEEK_LATER }).sweep(() => undefined)
    await expect.poll(() => keysIn(cluster.blobBucket)).toEqual([])
    expect(await all(cluster.blobBucket.calls.uploads())).toEqual([])
  })

  test('a store that does not list unfinished uploads is named, and keeps no other leftovers', async () => {
    const relay = await aRefusingRelay(engine.endpoint)
    const { blobBucket, host } = await aCluster(engine, relay.endpoint)
    const bucket = new BytesBucket({
      ...blobBucket.session.place,
      access_key_id: engine.keys.accessKeyId,
      secret_access_key: engine.keys.secretAccessKey,
    })
    expect(await bucket.warning()).toBeUndefined()
    relay.refused = 'GET uploads'
    expect(await bucket.warning()).toContain('does not list unfinished uploads')

    await (await Upload.begin(host(), randomBytes(PART))).send(host(), 10)
    expect(await keysIn(blobBucket)).toHaveLength(1)
    await host({ now: WEEK_LATER }).sweep(() => undefined)
    expect(await keysIn(blobBucket)).toEqual([])
  })

  test('tiny turns write each byte a few times only, and leave a short record', async () => {
    const relay = await aRefusingRelay(engine.endpoint)
    const { blobBucket, host } = await aCluster(engine, relay.endpoint)
    const partial = host()
    const upload = await Upload.begin(partial, randomBytes(PART))
    for (let turn = 0; turn < 32; turn++) {
      await upload.send(partial, 10)
      expect(upload.record.inBucket?.tail.length).toBeLessThanOrEqual(8)
    }
    expect(relay.asked.filter((what) => what === 'PUT piece')).toHaveLength(32)
    expect(relay.asked.filter((what) => what === 'GET piece').length).toBeLessThanOrEqual(32)
    await expect
      .poll(async () => (await keysIn(blobBucket)).length)
      .toBe(upload.record.inBucket?.tail.length)
  })

  test('a store that is briefly away delays a turn, and ends none', async () => {
    const cluster = await aCluster(engine)
    const host = cluster.host()
    const upload = await Upload.begin(host, randomBytes(3 * PART))
    await upload.send(host, PART + 10)
    await engine.kill()
    const sending = upload.send(host)
    await engine.revive()
    await sending
    await upload.publish(host)
    await expectOnly(cluster, upload)
  })

  test('a writer that was replaced and still sends harms no upload: other bytes are found out', async () => {
    const cluster = await aCluster(engine)
    const [old, next] = [cluster.host(), cluster.host()]
    for (const isSame of [true, false]) {
      const upload = await Upload.begin(old, randomBytes(3 * PART))
      const stale = upload.record
      await upload.send(next, 2 * PART)
      const writer = await old.write(stale, {
        onSafe: () => Promise.reject(new Error('no longer the writer')),
      })
      writer.end(isSame ? Buffer.from(upload.bytes.subarray(0, 2 * PART)) : randomBytes(2 * PART))
      await writer.settle()
      await writer.close()
      await upload.send(next)
      if (isSame) {
        expect((await upload.publish(next)).sha256).toBe(sha256(upload.bytes))
        await next.remove(upload.record)
      } else await expect(upload.publish(next)).rejects.toThrow(UploadLostError)
    }
  })

  test('an upload whose bytes someone has deleted is lost, and says so', async () => {
    const { blobBucket, host } = await aCluster(engine)
    const partial = host()
    const [aborted, cut] = await Promise.all(
      [1, 2].map(() => Upload.begin(partial, randomBytes(3 * PART))),
    )
    await aborted!.send(partial, PART + 10)
    await cut!.send(partial, PART + 10)
    await blobBucket.calls.abort(
      `blobs/${aborted!.record.blobId}`,
      aborted!.record.inBucket!.uploadId,
    )
    await blobBucket.calls.remove(`uploads/${cut!.record.inBucket!.tail[0]!.name}`)
    for (const upload of [aborted!, cut!]) {
      expect(await host().isLost(upload.record)).toBe(true)
      await expect(upload.send(host())).rejects.toThrow(UploadLostError)
    }
    expect(await host().isLost({ ...cut!.record, inBucket: undefined })).toBe(true)
  })

  test.skipIf(noRoot)(
    named('a full disk of the host ends a turn, and keeps what is in the bucket'),
    async () => {
      const { blobBucket, host } = await aCluster(engine)
      const full = new BucketPartials({
        blobBucket,
        dir: await aSmallDisk(1),
        now: () => new Date(),
      })
      expect([full.bytesHere(3 * MIB), full.bytesHere(64 * 1024 * MIB)]).toEqual([
        3 * MIB,
        32 * MIB,
      ])
      const upload = await Upload.begin(full, randomBytes(3 * MIB))
      await upload.send(full, MIB / 2)
      await expect(upload.send(full)).rejects.toMatchObject({ code: 'ENOSPC' })
      expect(upload.record.offset).toBe(MIB / 2)
      await upload.send(host({ partBytes: 16 * MIB }))
      expect((await upload.publish(host())).sha256).toBe(sha256(upload.bytes))
    },
  )

  test('a sweep spares what a record names, and what is young', async () => {
    const { blobBucket, host } = await aCluster(engine)
    const upload = await Upload.begin(host(), randomBytes(3 * PART))
    await upload.send(host(), PART + 10)
    const gone = await Upload.begin(host(), randomBytes(PART))
    await gone.send(host(), 10)
    const find = (blobId: string) => (blobId === upload.record.blobId ? upload.record : undefined)
    const piecesOf = ({ record }: Upload) =>
      record.inBucket!.tail.map(({ name }) => `uploads/${name}`)

    await host().sweep(find)
    expect(await keysIn(blobBucket)).toEqual([...piecesOf(upload), ...piecesOf(gone)].sort())
    await host({ now: WEEK_LATER }).sweep(find)
    expect(await keysIn(blobBucket)).toEqual(piecesOf(upload))
    expect(await all(blobBucket.calls.uploads())).toHaveLength(1)
    await upload.send(host())
    expect((await upload.publish(host())).sha256).toBe(sha256(upload.bytes))
  })
})
