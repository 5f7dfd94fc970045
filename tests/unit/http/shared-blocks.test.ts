import { expect, test } from 'vitest'
import { SharedBlocks, spoil } from '../../../server/http/send/shared-blocks'
import { SlabPool } from '../../../server/http/send/slab-pool'

const KIB = 1024
const MIB = 1024 * KIB

/** Blocks, and a disk that counts its reads; each read ends on command. */
function setUp({ answers = 2 } = {}) {
  const pool = new SlabPool()
  const blocks = new SharedBlocks(pool)
  const shelves = Array.from({ length: answers }, () => blocks.enter('a'))
  const reads: { position: number; end: PromiseWithResolvers<number> }[] = []
  const take = (position: number, most = 64 * KIB, left = 100 * MIB) =>
    blocks.take(blocks.enter('a'), { position, most, left }, (_slab, _length, from) => {
      const end = Promise.withResolvers<number>()
      reads.push({ position: from, end })
      return end.promise
    })
  return { pool, blocks, shelves, reads, take }
}

test('shares reads that are in progress, also from their middle on', async () => {
  const { take, reads } = setUp()
  const taking = [take(0), take(0), take(1000)]
  reads[0]?.end.resolve(64 * KIB)
  const [first, second, third] = await Promise.all(taking)

  expect(reads).toHaveLength(1)
  expect(second).toBe(first)
  expect(third).toBe(first)
  expect(first).toMatchObject({ start: 0, end: 64 * KIB, users: 3 })
})

test('what is larger than a client should hold, and what is elsewhere, it reads by itself', async () => {
  const { take, reads } = setUp()
  void take(0, 512 * KIB)
  void take(0, 64 * KIB)
  void take(512 * KIB, 512 * KIB)

  expect(reads.map(({ position }) => position)).toEqual([0, 0, 512 * KIB])
})

test('a read that fails, or ends early, is that of the first alone: the others try by themselves', async () => {
  const { take, reads, pool } = setUp()
  const [failing, waiting, late] = [take(0), take(0), take(5000)]
  reads[0]?.end.reject(new Error('EIO'))
  await expect(failing).rejects.toThrow('EIO')
  await expect.poll(() => reads.length).toBe(2)
  reads[1]?.end.resolve(4000)

  expect(await waiting).toMatchObject({ start: 0, end: 4000 })
  await expect.poll(() => reads.length).toBe(3)
  reads[2]?.end.resolve(10)
  expect(await late).toMatchObject({ start: 5000, end: 5010 })
  expect(pool.lent).toBe(128 * KIB)
})

test('keeps up to 4 MiB of unused blocks for reuse, for at most two more replies', async () => {
  const { take, reads, pool, blocks, shelves } = setUp()
  for (let n = 0; n < 20; n++) {
    const taking = take(n * 512 * KIB, 512 * KIB)
    reads[n]?.end.resolve(512 * KIB)
    blocks.letGo(await taking)
  }
  expect(pool.lent).toBe(4 * MIB)
  blocks.letGo(await take(19 * 512 * KIB, 512 * KIB))
  expect(reads).toHaveLength(20)

  const [shelf] = shelves
  while (shelf && shelf.answers > 1) blocks.leave(shelf)
  expect(pool.lent).toBe(0)
})

test('one answer alone reads into the same memory again and again', async () => {
  const { take, reads, blocks, pool } = setUp({ answers: 0 })
  const taking = take(0)
  reads[0]?.end.resolve(64 * KIB)
  const block = await taking
  blocks.letGo(block)

  expect(pool.lent).toBe(0)
  expect(pool.lend(64 * KIB)).toBe(block.slab)
})

test('memory that the system may still use stays with its readers, and is never reused', async () => {
  const { take, reads, blocks, pool } = setUp()
  const taking = [take(0), take(0)]
  reads[0]?.end.resolve(64 * KIB)
  const [mine, theirs] = await Promise.all(taking)
  if (!mine || !theirs) throw new Error('There is no block')
  spoil(mine)
  blocks.letGo(mine)
  expect(pool.lent).toBe(64 * KIB)
  void take(0)
  expect(reads).toHaveLength(2)
  blocks.letGo(theirs)

  expect(pool.lent).toBe(64 * KIB)
  expect(pool.lend(64 * KIB)).not.toBe(theirs.slab)
})
