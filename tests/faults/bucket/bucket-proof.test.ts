import { once } from 'node:events'
import { createServer, request as requestOf, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Transform } from 'node:stream'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Bucket } from '../../../server/data/bucket/bucket'
import { someBlob } from '../../support/bucket/blobs'
import { noEngine, startEngine, withEngine, type Engine } from '../../support/bucket/engine'

const means = () => ({ signal: new AbortController().signal })

let engine: Engine
beforeAll(async () => {
  engine = await startEngine()
  return engine.close
})

/** What happens between us and the store. */
interface Line {
  /** Of objects, not of parts. */
  etag?: string
  /** Changes the first byte of each body in one direction. */
  spoils?: 'PUT' | 'GET'
}

/** A bucket behind a relay. */
async function bucketBehind(line: Line): Promise<Bucket> {
  const choice = await engine.makeBucket()
  const relay = createServer((request, response) => pass(request, response, line)).listen(0, '127.0.0.1')
  onTestFinished(() => relay.close().closeAllConnections())
  await once(relay, 'listening')
  const endpoint = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
  const bucket = await Bucket.open({ ...choice, endpoint }, engine.keys)
  onTestFinished(() => bucket.close())
  return bucket
}

function pass(request: IncomingMessage, response: ServerResponse, { etag, spoils }: Line): void {
  const { method = '', headers, url } = request
  const onward = requestOf(new URL(url ?? '', engine.endpoint), { method, headers }, (answer) => {
    const sent = { ...answer.headers, ...(etag === undefined || method !== 'HEAD' ? {} : { etag }) }
    response.writeHead(answer.statusCode ?? 502, sent)
    const isSpoiled = spoils === 'GET' && method === 'GET' && answer.statusCode === 200
    answer.pipe(isSpoiled ? spoiling() : new Transform(plain)).pipe(response)
  })
  request.pipe(spoils === 'PUT' && method === 'PUT' ? spoiling() : new Transform(plain)).pipe(onward)
}

const plain = {
  transform: (chunk: Buffer, _: unknown, done: (error: null, chunk: Buffer) => void) => done(null, chunk),
}

function spoiling(): Transform {
  let isFirst = true
  return new Transform({
    transform(chunk: Buffer, _, done) {
      if (isFirst) chunk.writeUInt8(chunk.readUInt8(0) ^ 1, 0)
      isFirst = false
      done(null, chunk)
    },
  })
}

const reads = async (blobId: string) =>
  (await engine.requests()).filter(
    (line) => line.includes('"operation":"get_obj"') && line.includes(`GET /`) && line.includes(blobId),
  )

describe.skipIf(noEngine)(withEngine('a copy counts only when it is proven whole'), () => {
  test('trusts the ETag that follows from its parts without reading the object', async () => {
    const bucket = await bucketBehind({})
    const blob = someBlob()
    await bucket.copy(blob, { parts: [] }, means())
    await bucket.head('0'.repeat(32))

    await expect.poll(() => reads('0'.repeat(32))).not.toEqual([])
    expect(await reads(blob.blobId)).toEqual([])
  })

  test('reads the object back once where the store makes ETags otherwise', async () => {
    const bucket = await bucketBehind({ etag: '"of-an-encrypted-object"' })
    const blob = someBlob()

    expect(await bucket.copy(blob, { parts: [] }, means())).toEqual({ etag: '"of-an-encrypted-object"' })
    await expect.poll(() => reads(blob.blobId)).toHaveLength(1)
  })

  test('removes the object when it comes back changed', async () => {
    const bucket = await bucketBehind({ etag: '"of-an-encrypted-object"', spoils: 'GET' })
    const blob = someBlob()

    await expect(bucket.copy(blob, { parts: [] }, means())).rejects.toThrow(
      expect.objectContaining({ kind: 'rejected', detail: 'The stored object differs from what was sent' }),
    )
    expect(await bucket.head(blob.blobId)).toBeUndefined()
  })

  test('has the store refuse a part that was changed on its way', async () => {
    const bucket = await bucketBehind({ spoils: 'PUT' })
    const blob = someBlob()

    await expect(bucket.copy(blob, { parts: [] }, means())).rejects.toThrow(
      expect.objectContaining({ kind: 'rejected', detail: 'BadDigest' }),
    )
    expect(await bucket.head(blob.blobId)).toBeUndefined()
  })
})
