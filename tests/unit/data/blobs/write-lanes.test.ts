import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inLane } from '../../../../server/data/blobs/write-lanes'

test('two run at once, the others in their order, and a failure frees its lane', async () => {
  let running = 0
  let most = 0
  const order: number[] = []
  const write = (n: number) =>
    inLane(async () => {
      order.push(n)
      most = Math.max(most, ++running)
      await pause(5)
      running--
      if (n % 2 === 1) throw new Error(`The disk refuses ${n}`)
      return n
    })
  const outcomes = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map(write))
  expect(most).toBe(2)
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, true, false, true])
  await expect(inLane(() => Promise.resolve('free again'))).resolves.toBe('free again')
})
