import { expect, test } from 'vitest'
import { Bandwidth } from '../../../../server/http/transfers/bandwidth'
import { CopyPace } from '../../../../server/features/mirror/copying/copy-pace'

const SLICE = 64 * 1024
const free = new Bandwidth(() => ({ perTransfer: null, perVisitor: null, inAll: null }))
const sendBehind = (name: string) => free.enterBehind(name)

async function sent(pace: CopyPace, ms: number): Promise<number> {
  const ending = new AbortController()
  const own = pace.begin('a', ending.signal)
  const until = performance.now() + ms
  let bytes = 0
  while (performance.now() < until) {
    await own.take(SLICE)
    bytes += SLICE
    // The line takes 10 ms for it.
    const done = performance.now() + 10
    while (performance.now() < done);
  }
  own.end()
  return bytes
}

test('copies keep to their own limit', async () => {
  const pace = new CopyPace({ bytesPerSecond: () => 1_000_000, sendBehind, hasVisitors: () => false })
  const begun = performance.now()
  const bytes = await sent(pace, 500)

  expect(bytes).toBeLessThanOrEqual((1_000_000 * (performance.now() - begun)) / 1000 + SLICE)
})

test('copies leave three quarters of the time to visitors whom nothing limits', async () => {
  let hasVisitors = false
  const pace = new CopyPace({ bytesPerSecond: () => null, sendBehind, hasVisitors: () => hasVisitors })
  const alone = await sent(pace, 600)
  hasVisitors = true
  const beside = await sent(pace, 600)

  expect(beside / alone).toBeLessThan(0.4)
  expect(beside).toBeGreaterThan(0)
})

test('a copy that is cut does not wait', async () => {
  const pace = new CopyPace({ bytesPerSecond: () => 1024, sendBehind, hasVisitors: () => true })
  const ending = new AbortController()
  const own = pace.begin('a', ending.signal)
  const waiting = own.take(10 * SLICE)
  own.end()

  await waiting
})
