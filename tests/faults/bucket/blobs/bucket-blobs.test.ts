import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '../../../../server/core/clock'
import { BlobCollector } from '../../../../server/data/backup/blob-collector'
import { DiskBackend } from '../../../../server/data/blobs/disk-backend'
import type { BlobStore } from '../../../../server/data/blobs/blob-store'
import { BucketBlobs } from '../../../../server/cluster/blobs/bucket-blobs'
import { openBlobBucket } from '../../../../server/cluster/blob-bucket'
import { Bucket } from '../../../../server/data/bucket/copies/bucket'
import { PrimaryBlobs } from '../../../../server/cluster/blobs/primary-blobs'
import { someBlob } from '../../../support/bucket/blobs'
import { hashFile, hashSource } from '../../../../server/data/copy-files'
import { aRefusingRelay } from '../../../support/bucket/refusing-relay'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../../support/bucket/engine'
import { all, keysIn } from '../../../support/bucket/uploads'
import { publish } from '../../../support/data/temp-blobs'
import { tempDir } from '../../../support/system/temp-dir'
import { sha256 } from '../../../support/system/sha256'

const MIB = 1024 * 1024
const isPrimary = () => Promise.resolve()

let engine: Engine
beforeAll(async () => void (engine = await sharedEngine()))

/** A host of a cluster whose bytes are in a new bucket, with `now` to change. */
async function aHost() {
  const blobBucket = await openBlobBucket(await engine.makeBucket(), engine.keys)
  onTestFinished(() => blobBucket.session.close())
  const clock = { now: new Date() }
  const open = async () => {
    const dir = await tempDir()
    return BucketBlobs.open({ dir, blobBucket, now: () => clock.now, confirm: isPrimary })
  }
  return { blobBucket, clock, open, blobs: await open() }
}

const hashOf = async (blobs: BlobStore, blobId: string) => hashSource(await blobs.open(blobId))

describe.skipIf(noEngine)(withEngine('blobs in a bucket'), () => {
  test.each([0, 1, 16 * MIB, 41 * MIB + 12_345])(
    '%d bytes are published, and another host reads them',
    async (size) => {
      const { blobBucket, open, blobs } = await aHost()
      const bytes = randomBytes(size)
      const { blobId, ...published } = await publish(blobs, bytes)
      expect(published).toEqual({ size, sha256: sha256(bytes) })
      const other = await open()
      expect(await other.find(blobId)).toMatchObject({ size })
      expect(await hashOf(other, blobId)).toBe(sha256(bytes))
      expect(await other.digests(blobId, size)).toMatchObject({ sha256: sha256(bytes) })
      expect(await other.withFile(blobId, hashFile)).toBe(sha256(bytes))
      expect(await all(other.ids())).toEqual([blobId])
      expect(await keysIn(blobBucket)).toEqual([`blobs/${blobId}`])
      expect(await all(blobBucket.calls.uploads())).toEqual([])
    },
  )

  test('bytes are read at any place, as of an open file', async () => {
    const { blobs } = await aHost()
    const bytes = randomBytes(5 * MIB + 7)
    const { blobId } = await publish(blobs, bytes)
    const source = await blobs.open(blobId)
    for (const [position, length] of [
      [bytes.length - 22, 100],
      [0, 10],
      [MIB - 5, 10],
      [3 * MIB, 2 * MIB],
      [bytes.length, 10],
    ] as const) {
      const into = Buffer.alloc(length)
      let read = 0
      for (let more = -1; more !== 0 && read < length; read += more)
        more = (await source.read(into, read, length - read, position + read)).bytesRead
      expect(into.subarray(0, read)).toEqual(bytes.subarray(position, position + length))
    }
    await source.close()
  })

  test('the parts of a large file are in the bucket before its last byte arrives', async () => {
    const { blobBucket, blobs } = await aHost()
    const draft = await blobs.begin()
    const bytes = randomBytes(33 * MIB)
    draft.stream.write(bytes)
    let parts = 0
    while (parts < 2) {
      const [upload] = await all(blobBucket.calls.uploads())
      if (upload) parts = (await blobBucket.calls.listParts(upload.key, upload.uploadId))?.size ?? 0
    }
    expect(await keysIn(blobBucket)).toEqual([])
    draft.stream.end()
    const { blobId } = await draft.publish()
    expect(await hashOf(blobs, blobId)).toBe(sha256(bytes))
  })

  test('nothing stays of a draft that is discarded', async () => {
    const { blobBucket, blobs } = await aHost()
    const draft = await blobs.begin()
    draft.stream.write(randomBytes(33 * MIB))
    while ((await all(blobBucket.calls.uploads())).length === 0);
    await draft.discard()
    while ((await all(blobBucket.calls.uploads())).length > 0);
    expect(await keysIn(blobBucket)).toEqual([])
  })

  test('a store that is killed while it gets bytes has them when it is back', async () => {
    const { blobBucket, blobs } = await aHost()
    const bytes = randomBytes(33 * MIB)
    const draft = await blobs.begin()
    draft.stream.write(bytes)
    await engine.kill()
    draft.stream.end()
    const publishing = draft.publish()
    await expect.poll(() => blobBucket.session.problem).toBe('unreachable')
    await engine.revive()
    const { blobId } = await publishing
    expect(blobBucket.session.problem).toBeNull()
    expect(await hashOf(blobs, blobId)).toBe(sha256(bytes))
  })

  test('sidecars are replaced and removed, and go with their blob', async () => {
    const { blobBucket, open, blobs } = await aHost()
    const { blobId } = await publish(blobs, Buffer.from('bytes'))
    const other = await open()
    expect(await other.sidecar(blobId, 'facts.json')).toBeUndefined()
    for (const text of ['{"a":1}', '{"b":2}']) {
      await blobs.sidecars.keep(blobId, 'facts.json', Buffer.from(text))
      expect((await blobs.sidecar(blobId, 'facts.json'))?.toString()).toBe(text)
    }
    expect((await other.sidecar(blobId, 'facts.json'))?.toString()).toBe('{"b":2}')
    expect(await blobs.sidecar(blobId, 'facts.json', 6)).toBeUndefined()
    await blobs.sidecars.keep(blobId, 'icon.png', Buffer.from('icon'))
    await blobs.sidecars.removeOthers(blobId, ['facts.json'])
    expect(await keysIn(blobBucket)).toEqual([`blobs/${blobId}`, `blobs/${blobId}.facts.json`])
    await blobs.remove(blobId)
    expect(await keysIn(blobBucket)).toEqual([])
    await expect(blobs.open(blobId)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a blob without a record is marked after a day, and deleted a week later unless a record names it', async () => {
    const { blobBucket, clock, open } = await aHost()
    const began = new Date(0)
    const earlier = await open()
    const [kept, lost] = [
      await publish(earlier, Buffer.from('kept')),
      await publish(earlier, Buffer.from('lost')),
    ]
    await earlier.sidecars.keep(lost.blobId, 'facts.json', Buffer.from('{}'))
    const sweep = async (days: number, names: string[]) => {
      clock.now = new Date(clock.now.getTime() + days * DAY_MS)
      const blobs = await open()
      const { orphans } = await blobs.sweep((blobId) => names.includes(blobId), began)
      return { orphans, keys: await keysIn(blobBucket) }
    }
    const blobKeys = [
      `blobs/${kept.blobId}`,
      `blobs/${lost.blobId}`,
      `blobs/${lost.blobId}.facts.json`,
    ].sort()
    expect(await sweep(0, [])).toEqual({ orphans: 0, keys: blobKeys })
    const marks = [`orphans/${kept.blobId}`, `orphans/${lost.blobId}`].sort()
    expect(await sweep(2, [])).toEqual({ orphans: 2, keys: [...blobKeys, ...marks] })
    expect(await sweep(1, [kept.blobId])).toEqual({
      orphans: 0,
      keys: [...blobKeys, `orphans/${lost.blobId}`],
    })
    expect(await sweep(6, [kept.blobId])).toEqual({ orphans: 0, keys: [`blobs/${kept.blobId}`] })
  })

  test('a host that is the writer no longer deletes nothing', async () => {
    const { blobBucket, clock, open } = await aHost()
    const { blobId } = await publish(await open(), Buffer.from('of the next writer'))
    await blobBucket.objects.put(`orphans/${blobId}`, Buffer.alloc(0))
    clock.now = new Date(clock.now.getTime() + 30 * DAY_MS)
    const dir = await tempDir()
    const confirm = () => Promise.reject(new Error('another host is the writer'))
    const deposed = await BucketBlobs.open({ dir, blobBucket, now: () => clock.now, confirm })
    await expect(deposed.sweep(() => false, new Date(0))).rejects.toThrow('another host')
    await expect(publish(deposed, Buffer.from('late'))).rejects.toThrow('another host')
    expect(await keysIn(blobBucket)).toEqual([`blobs/${blobId}`, `orphans/${blobId}`])
  })

  test('a public copy is made inside the store, and withdrawing it leaves the only copy of the host alone', async () => {
    const { blobBucket, blobs } = await aHost()
    const bytes = randomBytes(17 * MIB)
    const { blobId } = await publish(blobs, bytes)
    const place = { ...blobBucket.session.place, prefix: 'slipway/public/' }
    const bucket = await Bucket.open(place, engine.keys)
    onTestFinished(() => bucket.close())
    const open = () => Promise.reject(new Error('no byte was to be read'))
    const source = { ...someBlob(0), blobId, size: bytes.length, sha256: sha256(bytes), open }
    const { signal } = new AbortController()
    const primary = new PrimaryBlobs(blobBucket)
    const copyInside = primary.copierInside(place, source)
    const { etag } = await bucket.copy({ ...source, copyInside }, { parts: [] }, { signal })
    expect(await bucket.head(blobId)).toMatchObject({
      size: source.size,
      sha256: source.sha256,
      owner: 'a-host',
      etag,
    })
    const response = await fetch(await bucket.presignUrl(blobId, { ...source, seconds: 60 }))
    expect(response.headers.get('content-type')).toBe(source.type)
    expect(sha256(await response.bytes())).toBe(source.sha256)
    await bucket.remove(blobId)
    expect(await keysIn(blobBucket)).toEqual([`blobs/${blobId}`])
    expect(primary.copierInside({ ...place, bucket: 'another' }, source)).toBeUndefined()
  })

  test('a backup asks the store only once about what the previous one has', async () => {
    const { blobBucket, blobs } = await aHost()
    const { place } = blobBucket.session
    const relay = await aRefusingRelay(place.endpoint)
    const through = await openBlobBucket({ ...place, endpoint: relay.endpoint }, engine.keys)
    onTestFinished(() => through.session.close())
    const source = await BucketBlobs.open({
      ...{ dir: await tempDir(), blobBucket: through },
      ...{ now: () => new Date(), confirm: isPrimary },
    })
    const { blobId } = await publish(blobs, Buffer.from('bytes'))
    const keep = (text: string) => blobs.sidecars.keep(blobId, 'facts.json', Buffer.from(text))
    const backUp = async (previous?: string) => {
      const dir = await tempDir()
      await mkdir(join(dir, 'blobs'))
      relay.refuseAfter(Infinity)
      await (
        await BlobCollector.create(
          source,
          previous === undefined ? undefined : { dir: previous, damaged: [] },
          dir,
        )
      ).takeAll()
      return {
        dir,
        asked: relay.asked,
        facts: String(await DiskBackend.in(dir).sidecar(blobId, 'facts.json')),
      }
    }
    await keep('{"a":1}')
    const first = await backUp()
    const second = await backUp(first.dir)
    expect([second.asked, second.facts]).toEqual([['GET bucket'], '{"a":1}'])
    await keep('{"a":10}')
    expect((await backUp(second.dir)).facts).toBe('{"a":10}')
  })

  test('names that are no blobs reach no object', async () => {
    const { blobBucket, blobs } = await aHost()
    await blobBucket.objects.put('cluster.json', Buffer.from('{}'))
    for (const name of ['../cluster.json', 'cluster.json', '', 'a'.repeat(31)])
      for (const work of [() => blobs.open(name), () => blobs.remove(name), () => blobs.find(name)])
        await expect(work()).rejects.toThrow('is not a blob ID')
  })
})
