import { expect, test } from 'vitest'
import { SharedBlocks } from '../../../../server/http/send/shared-blocks'

const KIB = 1024
const everything = (start: number) => ({ start, end: 2 ** 40 })

/** Blocks, and a disk that lists its reads; each read ends on command. */
function setUp() {
  const blocks = new SharedBlocks()
  const reads: { position: number; length: number; end: PromiseWithResolvers<undefined> }[] = []
  const fill = (into: Buffer, position: number) => {
    const end = Promise.withResolvers<undefined>()
    reads.push({ position, length: into.length, end })
    return end.promise
  }
  /** Takes the block at a position, once its read has ended, until `done`. */
  const take = (start: number, isFast = false) => {
    const taken = Promise.withResolvers<Buffer>()
    const sending = Promise.withResolvers<undefined>()
    const over = blocks.take(
      { name: 'a', fill },
      everything(start),
      isFast,
    )((bytes) => {
      taken.resolve(bytes)
      return sending.promise
    })
    over.catch(taken.reject)
    const done = async () => {
      sending.resolve(undefined)
      await over
    }
    const lose = async () => {
      sending.reject(new Error('lost'))
      await expect(over).rejects.toThrow('lost')
    }
    return { taken: taken.promise, done, lose }
  }
  /** Takes a block, reads it and lets it go; returns its memory. */
  const passed = async (start: number, isFast = false) => {
    const block = take(start, isFast)
    reads.at(-1)?.end.resolve(undefined)
    const { buffer } = await block.taken
    await block.done()
    return buffer
  }
  return { blocks, reads, take, passed }
}

test('shares reads in progress, also with downloads that began elsewhere', async () => {
  const { take, reads, blocks } = setUp()
  const beginning = take(1000)
  const all = [take(64 * KIB), take(64 * KIB), take(64 * KIB)]
  for (const { end } of reads) end.resolve(undefined)
  const [first, ...others] = await Promise.all(all.map(({ taken }) => taken))

  expect(reads).toMatchObject([
    { position: 1000, length: 64 * KIB - 1000 },
    { position: 64 * KIB, length: 64 * KIB },
  ])
  for (const other of others) expect(other).toBe(first)
  expect(blocks.used).toBe(2)
  for (const { done } of [beginning, ...all]) await done()
  expect(blocks.used).toBe(0)
})

test('reads larger blocks for fast clients, of which at most 32 are in use', () => {
  const { take, reads } = setUp()
  for (let n = 0; n < 34; n++) take(n * 512 * KIB, true)

  expect(reads.slice(0, 32).every(({ length }) => length === 512 * KIB)).toBe(true)
  expect(reads.slice(32).map(({ length }) => length)).toEqual([64 * KIB, 64 * KIB])
})

test('does not keep a read that fails', async () => {
  const { take, reads, blocks } = setUp()
  const { taken } = take(0)
  reads[0]?.end.reject(new Error('EIO'))
  await expect(taken).rejects.toThrow('EIO')
  expect(blocks.used).toBe(0)

  take(0)
  expect(reads).toHaveLength(2)
})

test('keeps the latest blocks for the next client, and reuses the memory of the oldest', async () => {
  const { passed, reads } = setUp()
  const memory = new Set<ArrayBufferLike>()
  for (let n = 0; n < 100; n++) memory.add(await passed(n * 64 * KIB))
  expect(memory.size).toBe(32)

  await passed(99 * 64 * KIB)
  expect(reads).toHaveLength(100)
  await passed(0)
  expect(reads).toHaveLength(101)
})

test('frees the memory of idle blocks beyond 4 MiB', async () => {
  const { take, reads } = setUp()
  const all = Array.from({ length: 100 }, (_, n) => take(n * 64 * KIB))
  for (const { end } of reads) end.resolve(undefined)
  const memory = await Promise.all(all.map(({ taken }) => taken))
  for (const { done } of all) await done()

  expect(memory.filter(({ length }) => length > 0)).toHaveLength(64)
})

test('never reuses memory that the system may still read for a lost connection', async () => {
  const { take, reads, passed } = setUp()
  const [mine, theirs] = [take(0), take(0)]
  reads[0]?.end.resolve(undefined)
  const { buffer } = await mine.taken
  await mine.lose()
  take(0)
  expect(reads).toHaveLength(2)
  await theirs.done()

  for (let n = 1; n < 100; n++) expect(await passed(n * 64 * KIB)).not.toBe(buffer)
})
