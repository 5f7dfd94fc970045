import type { Context } from 'koa'
import { expect, test } from 'vitest'
import { CallRate } from '../../../server/http/pipeline/rate-limit'

function sent(rate: CallRate, calls: number): void {
  for (let n = 0; n < calls; n++) void rate.count({} as Context, async () => {})
}

test('the rate is high from 50 calls in a second until a second without them', () => {
  let now = 10_000
  const rate = new CallRate(() => now)
  sent(rate, 49)
  expect(rate.isHigh).toBe(false)
  sent(rate, 1)
  expect(rate.isHigh).toBe(true)

  now += 1000
  expect(rate.isHigh).toBe(true)
  now += 1000
  expect(rate.isHigh).toBe(false)
})

test('calls of long ago do not count', () => {
  let now = 10_000
  const rate = new CallRate(() => now)
  sent(rate, 60)
  now += 5000

  expect(rate.isHigh).toBe(false)
})
