import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as requestOf } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { memorySource } from '../../../server/core/byte-source'
import { Bucket } from '../../../server/data/bucket/copies/bucket'
import { BucketError, DamagedError } from '../../../server/data/bucket/bucket-error'
import type { CopyDeps, CopyState } from '../../../server/data/bucket/copies/copy'
import { someBlob } from '../../support/bucket/blobs'
import { all } from '../../support/bucket/uploads'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../support/bucket/engine'

const PART = 16 * 1024 * 1024
const NOTHING: CopyState = { parts: [] }
const deps = (): CopyDeps => ({ signal: new AbortController().signal })

let engine: Engine
beforeAll(async () => void (engine = await sharedEngine()))

async function newBucket(): Promise<Bucket> {
  const bucket = await Bucket.open(await engine.makeBucket(), engine.keys)
  onTestFinished(() => bucket.close())
  return bucket
}

/** The numbers of the parts of a blob that the store took, in order. */
async function partsSent(blobId: string): Promise<number[]> {
  const puts = (await engine.requests()).filter(
    (line) => line.includes(`"uri":"PUT`) && line.includes(blobId),
  )
  return puts
    .filter((line) => line.includes('"http_status":"200"'))
    .map((line) => Number(/partNumber=(\d+)/.exec(line)?.[1]))
}

/** The requests by which the store was asked for the bytes of a blob. */
const getsOf = async (blobId: string) =>
  (await engine.requests()).filter((line) => line.includes('"uri":"GET') && line.includes(blobId))

const ENCRYPTED = '"of-an-encrypted-object"'

/**
 * A bucket behind a relay that names another ETag, and may change the first byte of what is read.
 */
async function bucketBehind({
  etag,
  spoils = false,
}: {
  etag: string
  spoils?: boolean
}): Promise<Bucket> {
  const relay = createServer((request, response) => {
    const { method = '', headers, url = '' } = request
    const onward = requestOf(new URL(url, engine.endpoint), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, {
        ...answer.headers,
        ...(method === 'HEAD' && { etag }),
      })
      if (spoils && method === 'GET' && answer.statusCode === 200)
        answer.once('data', (chunk: Buffer) => chunk.writeUInt8(chunk.readUInt8(0) ^ 1, 0))
      answer.pipe(response)
    })
    request.pipe(onward)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => relay.close().closeAllConnections())
  await once(relay, 'listening')
  const endpoint = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
  const bucket = await Bucket.open({ ...(await engine.makeBucket()), endpoint }, engine.keys)
  onTestFinished(() => bucket.close())
  return bucket
}

describe.skipIf(noEngine)(withEngine('copies in a bucket'), () => {
  test('copies a file of three parts whole, and serves it by address with name, type and caching', async () => {
    const bucket = await newBucket()
    const blob = someBlob()
    const seen: [number, number][] = []

    const onPart = (state: CopyState, sent: number) => void seen.push([state.parts.length, sent])
    const { etag } = await bucket.copy(blob, NOTHING, { ...deps(), onPart })

    expect(seen).toEqual([
      [0, 0],
      [1, PART],
      [2, 2 * PART],
      [3, blob.size],
    ])
    expect(await bucket.head(blob.blobId)).toMatchObject({
      size: blob.size,
      etag,
      sha256: blob.sha256,
      owner: blob.owner,
    })
    expect(await getsOf(blob.blobId)).toEqual([])
    expect(await bucket.hash(blob.blobId, blob.size, deps().signal)).toBe(blob.sha256)
    await expect.poll(() => getsOf(blob.blobId)).toHaveLength(1)
    expect(await all(bucket.list())).toMatchObject([{ blobId: blob.blobId, size: blob.size, etag }])
    expect(await all(bucket.unfinished())).toEqual([])

    const { filename, type } = blob
    const url = await bucket.presignUrl(blob.blobId, { filename, type, seconds: 300 })
    const answer = await fetch(url, { headers: { range: `bytes=${PART - 5}-${PART + 4}` } })
    expect(answer.status).toBe(206)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(blob.bytes.subarray(PART - 5, PART + 5))
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-disposition': `attachment; filename="caf_ _1_ __.apk"; filename*=UTF-8''caf%C3%A9%20%221%22%20%E6%97%A5%E6%9C%AC.apk`,
      'content-type': type,
      'cache-control': 'private, no-store',
    })
  })

  test('reads a copy back once where the store makes ETags otherwise, and removes one that comes back changed', async () => {
    const [honest, spoiled] = [
      await bucketBehind({ etag: ENCRYPTED }),
      await bucketBehind({ etag: ENCRYPTED, spoils: true }),
    ]
    const blob = someBlob()
    expect(await honest.copy(blob, NOTHING, deps())).toEqual({ etag: ENCRYPTED })
    await expect.poll(() => getsOf(blob.blobId)).toHaveLength(1)

    await expect(spoiled.copy(blob, NOTHING, deps())).rejects.toThrow(
      expect.objectContaining({
        kind: 'rejected',
        detail: 'The stored object differs from what was sent',
      }),
    )
    expect(await spoiled.head(blob.blobId)).toBeUndefined()
  })

  test('recognizes a part that the store took just before we were cut', async () => {
    const bucket = await newBucket()
    const blob = someBlob()
    const { uploadId } = await cutAfter(bucket, blob, 1)

    await bucket.copy(blob, { uploadId, parts: [] }, deps())

    expect(await bucket.hash(blob.blobId, blob.size, deps().signal)).toBe(blob.sha256)
    await expect.poll(() => partsSent(blob.blobId)).toEqual([1, 2, 3])
  })

  test('recognizes an object that the store completed just before we were cut', async () => {
    const bucket = await newBucket()
    const blob = someBlob()
    let state = NOTHING
    const { etag } = await bucket.copy(blob, NOTHING, {
      ...deps(),
      onPart: (now) => void (state = now),
    })

    expect(await bucket.copy(blob, state, deps())).toEqual({ etag })
    await expect.poll(() => partsSent(blob.blobId)).toEqual([1, 2, 3])
  })

  test('begins again when the store has forgotten the upload', async () => {
    const bucket = await newBucket()
    const blob = someBlob()
    const state = await cutAfter(bucket, blob, 2)
    await bucket.abandon(blob.blobId, state.uploadId)

    await bucket.copy(blob, state, deps())

    expect(await bucket.hash(blob.blobId, blob.size, deps().signal)).toBe(blob.sha256)
    await expect.poll(() => partsSent(blob.blobId)).toEqual([1, 2, 1, 2, 3])
  })

  test('leaves no object when a byte was lost at the end of the file on disk', async () => {
    const bucket = await newBucket()
    const blob = someBlob()
    const open = () => Promise.resolve(memorySource(blob.bytes.subarray(1)))

    await expect(bucket.copy({ ...blob, open }, NOTHING, deps())).rejects.toThrow(DamagedError)

    expect(await bucket.head(blob.blobId)).toBeUndefined()
    expect(await all(bucket.unfinished())).toEqual([])
  })

  test('lists only blobs, under its own prefix', async () => {
    const choice = await engine.makeBucket()
    const [ours, others] = await Promise.all(
      ['slipway/', 'other/'].map((prefix) => Bucket.open({ ...choice, prefix }, engine.keys)),
    )
    const blob = someBlob(10)
    await ours?.copy({ ...blob, blobId: 'read-me.txt' }, NOTHING, deps())
    await others?.copy(blob, NOTHING, deps())

    expect(await all(ours!.list())).toEqual([])
    expect(await all(others!.list())).toMatchObject([{ blobId: blob.blobId }])
  })

  test('adds at most 40 MiB of memory', async () => {
    const bucket = await newBucket()
    const size = 10 * PART
    const sha256 = createHash('sha256')
    for (let at = 0; at < size; at += PART) sha256.update(Buffer.alloc(PART))
    const read = (into: Buffer, offset: number, length: number) => {
      into.fill(0, offset, offset + length)
      return Promise.resolve({ bytesRead: length })
    }
    const open = () => Promise.resolve({ read, close: () => Promise.resolve() })
    const before = process.memoryUsage().rss
    let peak = before
    const look = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10)

    const zeros = { ...someBlob(0), size, sha256: sha256.digest('hex'), open }
    await bucket.copy(zeros, NOTHING, deps()).finally(() => clearInterval(look))

    expect((peak - before) / 1024 ** 2).toBeLessThan(40)
  })
})

/** Cuts a copy after so many parts, as a change of visibility does, and returns how far it was. */
async function cutAfter(bucket: Bucket, blob: ReturnType<typeof someBlob>, parts: number) {
  const ending = new AbortController()
  let state = NOTHING
  const onPart = (now: CopyState) => {
    state = now
    if (now.parts.length === parts) ending.abort(new Error('no longer public'))
  }
  const cut = bucket.copy(blob, NOTHING, { signal: ending.signal, onPart })
  await expect(cut).rejects.toThrow('no longer public')
  if (state.uploadId === undefined) throw new BucketError('rejected', 'no upload')
  return { uploadId: state.uploadId, parts: state.parts }
}
