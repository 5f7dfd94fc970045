import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bytesOf,
  newPieceName,
  piecesBefore,
  type Piece,
} from '../../../../server/cluster/appends/tail'

const PART = 16 * 1024 * 1024

/**
 * Adds turns of these sizes until a part is full. Returns how many bytes were written, and the most
 * pieces there were.
 */
function fill(sizes: readonly number[]): { written: number; received: number; most: number } {
  let tail: readonly Piece[] = []
  let written = 0
  let most = 0
  for (const size of sizes) {
    const received = bytesOf(tail)
    if (received + size > PART) break
    const before = piecesBefore(tail, size)
    const piece = { name: newPieceName('a'.repeat(32)), size: received + size - bytesOf(before) }
    tail = [...before, piece]
    written += piece.size
    most = Math.max(most, tail.length)
  }
  return { written, received: bytesOf(tail), most }
}

test('turns of any sizes leave at most 24 pieces in a part, and write a byte 40 times at the very most', () => {
  const sizes = fc.array(
    fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: PART })),
    {
      maxLength: 2000,
    },
  )
  const property = fc.property(sizes, (turns) => {
    const { written, received, most } = fill(turns)
    expect(most).toBeLessThanOrEqual(24)
    expect(written).toBeLessThanOrEqual(40 * received)
  })
  fc.assert(property, { numRuns: 200 })
})

test('a part in 16,384 turns is written less than nine times', () => {
  const { written, received, most } = fill(Array<number>(16 * 1024).fill(1024))
  expect([received, most]).toEqual([PART, 14])
  expect(written / received).toBeLessThan(9)
})
