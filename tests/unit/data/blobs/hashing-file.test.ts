import { createHash, randomBytes } from 'node:crypto'
import { open, readFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { BatchWriter } from '../../../../server/data/blobs/batch-writer'
import { hashAside } from '../../../../server/data/blobs/file-hash'
import { hashInWorker } from '../../../../server/data/blobs/hash-worker'
import { releaseMemory } from '../../../../server/data/blobs/release-memory'
import { everything, freshBlobs } from './temp-blobs'
import { tempDir } from '../temp-dir'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const MIB = 1024 * 1024

/** Chunks as the network gives them: each a buffer of its own. */
const chunksOf = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => copy(bytes.subarray(n * size, (n + 1) * size)))

const copy = (bytes: Buffer) => {
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}

test('batches that end in any order, and that the disk shortens, are one file', async () => {
  const path = join(await tempDir(), 'file')
  const file = await open(path, 'w')
  const solid: number[] = []
  let writes = 0
  const slow = async (buffers: Buffer[], position: number) => {
    await pause(writes++ % 2 === 0 ? 8 : 1)
    return file.writev([buffers[0]!.subarray(0, 20_000)], position)
  }
  const disk = { writev: slow } as unknown as FileHandle
  const writer = new BatchWriter(disk, { batchBytes: () => 50_000, written: (upTo) => solid.push(upTo) })
  const bytes = randomBytes(600_000)
  for (const chunk of chunksOf(bytes, 7001)) {
    writer.add(chunk)
    await writer.room()
  }
  await writer.drain()
  await file.close()

  expect((await readFile(path)).equals(bytes)).toBe(true)
  expect(solid.at(-1)).toBe(600_000)
  expect(solid.toSorted((a, b) => a - b)).toEqual(solid)
})

test('after a write has failed nothing more is taken, and the first error is told', async () => {
  let writes = 0
  const full = { writev: () => Promise.reject(new Error(`full ${++writes}`)) } as unknown as FileHandle
  const writer = new BatchWriter(full, { batchBytes: () => 10, written: () => undefined })
  writer.add(Buffer.alloc(20))
  writer.add(Buffer.alloc(20))
  await pause(1)

  await expect(writer.room()).rejects.toThrow('full 1')
  await expect(writer.drain()).rejects.toThrow('full 1')
})

test('a big file is hashed in a worker while it is written, and its chunks are released', async () => {
  const { blobs } = await freshBlobs()
  const bytes = randomBytes(40 * MIB)
  const chunks = chunksOf(bytes, 65_536)
  const draft = await blobs.begin({ leastBytes: bytes.length, ownsChunks: true })
  await pipeline(Readable.from(chunks), draft.stream)
  const published = await draft.publish()
  await new Promise(setImmediate)

  expect(published).toMatchObject({ size: bytes.length, sha256: sha256(bytes), crc32: crc32(bytes) })
  expect((await everything(blobs, published.blobId)).equals(bytes)).toBe(true)
  expect(chunks.filter((chunk) => chunk.length > 0)).toEqual([])
})

test('eight big files at once are each hashed right', async () => {
  const { blobs } = await freshBlobs()
  const files = Array.from({ length: 8 }, (_, n) => randomBytes(17 * MIB + n))
  const published = await Promise.all(
    files.map(async (bytes) => {
      const draft = await blobs.begin({ leastBytes: bytes.length })
      await pipeline(Readable.from(chunksOf(bytes, 100_000)), draft.stream)
      return draft.publish()
    }),
  )

  expect(published.map((blob) => blob.sha256)).toEqual(files.map(sha256))
})

test('a discarded draft ends its work in the worker', async () => {
  const { blobs } = await freshBlobs()
  const draft = await blobs.begin({ leastBytes: 100 * MIB })
  draft.stream.write(Buffer.alloc(3 * MIB))
  await draft.discard()

  await expect(draft.publish()).rejects.toThrow('discarded')
})

test('where the worker fails, the file is hashed once more', async () => {
  const path = join(await tempDir(), 'file')
  const hash = hashAside(path)
  const bytes = randomBytes(100_000)
  const file = await open(path, 'w')
  await file.write(bytes)
  await file.close()

  expect(await hash.digest(bytes.length)).toEqual({ sha256: sha256(bytes), crc32: crc32(bytes) })
  expect(await hashInWorker(join(path, 'nowhere')).digest(1)).toBeUndefined()
})

test('only whole buffers of some size are released, never one that shares its memory', () => {
  const [own, shared, small] = [Buffer.allocUnsafeSlow(65_536), Buffer.alloc(65_536), Buffer.from('abc')]
  const part = shared.subarray(1)
  releaseMemory([own, part, small])
  releaseMemory([own])

  expect([own.length, part.length, small.length]).toEqual([0, 65_535, 3])
})
