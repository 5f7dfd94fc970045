import { expect, test } from 'vitest'
import { Pace } from '../../../server/http/send/pace'
import { SlabPool } from '../../../server/http/send/slab-pool'

const KIB = 1024

test('a slab that is returned is lent again, one that is written off is not', () => {
  const pool = new SlabPool()
  const slab = pool.lend(64 * KIB)
  pool.takeBack(slab)
  const again = pool.lend(64 * KIB)
  pool.drop(again)

  expect(again).toBe(slab)
  expect(pool.lend(64 * KIB)).not.toBe(slab)
})

test('a slab is the smallest that holds what is wanted, and at most 512 KiB', () => {
  const sizes = [1, 16 * KIB, 16 * KIB + 1, 200 * KIB, 512 * KIB, 9999 * KIB].map((wanted) =>
    new SlabPool().lend(wanted),
  )

  expect(sizes.map(({ length }) => length / KIB)).toEqual([16, 16, 64, 256, 512, 512])
})

test('lends smaller slabs as the pool fills; never refuses the smallest', () => {
  const pool = new SlabPool(4096 * KIB)
  const lent = Array.from({ length: 300 }, () => pool.lend(512 * KIB).length / KIB)

  expect(lent.toSorted((a, b) => b - a)).toEqual(lent)
  expect(new Set(lent)).toEqual(new Set([512, 256, 64, 16]))
  expect(pool.lent).toBeLessThan(4096 * KIB + 300 * 16 * KIB)
})

test('keeps a bounded reserve, and frees the other memory at once', () => {
  const pool = new SlabPool(4096 * KIB, 4096 * KIB)
  const slabs = [pool.lend(512 * KIB), pool.lend(512 * KIB), pool.lend(512 * KIB)]
  for (const slab of slabs) pool.takeBack(slab)
  expect(slabs.map(({ length }) => length / KIB)).toEqual([512, 512, 0])
  const again = [pool.lend(512 * KIB), pool.lend(512 * KIB), pool.lend(512 * KIB)]

  expect(again.filter((slab) => slabs.includes(slab))).toHaveLength(2)
  expect(pool.lent).toBe(3 * 512 * KIB)
})

test('four fast writes make the pieces larger, a stall makes them small again', () => {
  const pace = new Pace()
  const sizes = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 201].map((ms) => {
    pace.wrote(ms)
    return pace.size / KIB
  })

  expect(sizes).toEqual([64, 64, 64, 256, 256, 256, 256, 512, 512, 512, 512, 512, 64])
})

test('a client that is neither fast nor stalled keeps its pace', () => {
  const pace = new Pace()
  for (const ms of [1, 1, 1, 100, 1, 1, 1, 100]) pace.wrote(ms)

  expect(pace.size).toBe(64 * KIB)
})
