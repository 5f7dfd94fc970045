import { randomBytes } from 'node:crypto'
import { open, readFile, truncate, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { hashAside } from '../../../../server/data/blobs/file-hash'
import { FileWriter } from '../../../../server/data/blobs/file-writer'
import { everything, freshBlobs } from '../../../support/data/temp-blobs'
import { tempDir } from '../../../support/system/temp-dir'
import { sha256 } from '../../../support/system/sha256'

const MIB = 1024 * 1024

/** Chunks as the network gives them: each a buffer of its own. */
const chunksOf = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    copy(bytes.subarray(n * size, (n + 1) * size)),
  )

const copy = (bytes: Buffer) => {
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}

test('writes a file whose writes the disk shortens', async () => {
  const path = join(await tempDir(), 'file')
  const file = await open(path, 'w')
  const solid: number[] = []
  const disk = {
    writev: ([first]: Buffer[], position: number) =>
      file.writev([first!.subarray(0, 20_000)], position),
    close: () => file.close(),
  } as unknown as FileHandle
  const writer = new FileWriter(disk, { onWritten: (upTo) => solid.push(upTo) })
  const bytes = randomBytes(3 * MIB)

  await pipeline(Readable.from(chunksOf(bytes, 70_001)), writer)
  await writer.close()

  expect((await readFile(path)).equals(bytes)).toBe(true)
  expect(solid.at(-1)).toBe(bytes.length)
  expect(solid.toSorted((a, b) => a - b)).toEqual(solid)
})

test('writes nothing after a failed write, and counts what was written before', async () => {
  let writes = 0
  const full = {
    writev: () =>
      ++writes === 1 ? Promise.resolve({ bytesWritten: 10 }) : Promise.reject(new Error('full')),
    datasync: () => Promise.resolve(),
  } as unknown as FileHandle
  const writer = new FileWriter(full, {})

  await expect(
    pipeline(Readable.from([Buffer.alloc(20), Buffer.alloc(20)]), writer),
  ).rejects.toThrow('full')

  expect(await writer.settle()).toEqual({ offset: 10 })
  expect(writes).toBe(2)
})

test('hashes a big file in a worker while it is written, and releases its chunks', async () => {
  const { blobs } = await freshBlobs()
  const bytes = randomBytes(40 * MIB)
  const chunks = chunksOf(bytes, 65_536)
  const draft = await blobs.begin({ leastBytes: bytes.length, ownsChunks: true })
  await pipeline(Readable.from(chunks), draft.stream)
  const published = await draft.publish()

  const digests = { sha256: sha256(bytes), crc32: undefined }
  expect(published).toMatchObject({ size: bytes.length, ...digests })
  expect((await everything(blobs, published.blobId)).equals(bytes)).toBe(true)
  expect(chunks.filter((chunk) => chunk.length > 0)).toEqual([])
})

test('stops the hash of a discarded draft', async () => {
  const { blobs } = await freshBlobs()
  const draft = await blobs.begin({ leastBytes: 100 * MIB })
  draft.stream.write(Buffer.alloc(3 * MIB))
  await draft.discard()

  await expect(draft.publish()).rejects.toThrow('discarded')
})

test('does not let a small file wait for the hash of a large one', async () => {
  const dir = await tempDir()
  const ended: string[] = []
  const hash = async (name: string, size: number) => {
    const path = join(dir, name)
    await writeFile(path, '')
    await truncate(path, size)
    await hashAside(path).digests(size)
    ended.push(name)
  }
  await Promise.all([hash('large', 256 * MIB), hash('small', MIB)])

  expect(ended).toEqual(['small', 'large'])
})

test('hashes the file here where the worker cannot read it', async () => {
  const path = join(await tempDir(), 'file')
  const hash = hashAside(path, { withCrc32: true })
  const bytes = randomBytes(100_000)
  await writeFile(path, bytes)

  expect(await hash.digests(bytes.length)).toEqual({ sha256: sha256(bytes), crc32: crc32(bytes) })
})
