import { expect, test } from 'vitest'
import { Bandwidth } from '../../../../server/http/transfers/bandwidth'
import { CopyPace } from '../../../../server/features/mirror/copying/copy-pace'

const SLICE = 64 * 1024
const free = new Bandwidth(() => ({ perTransfer: null, perVisitor: null, inAll: null }))
const sendBehind = (name: string) => free.enterBehind(name)

/** Sends for so many ms. Returns the bytes, and how long it sent and waited, in ms. */
async function sending(pace: CopyPace, ms: number) {
  const own = pace.begin('a', new AbortController().signal)
  const begun = performance.now()
  let bytes = 0
  let sent = 0
  while (performance.now() < begun + ms) {
    await own.take(SLICE)
    bytes += SLICE
    const from = performance.now()
    // The line takes 10 ms for it.
    while (performance.now() < from + 10);
    sent += performance.now() - from
  }
  own.end()
  return { bytes, sent, waited: performance.now() - begun - sent }
}

test('copies keep to their own limit', async () => {
  const pace = new CopyPace({ bytesPerSecond: () => 1_000_000, sendBehind, hasVisitors: () => false })
  const begun = performance.now()
  const { bytes } = await sending(pace, 500)

  expect(bytes).toBeLessThanOrEqual((1_000_000 * (performance.now() - begun)) / 1000 + SLICE)
})

test('copies leave three quarters of the time to visitors', async () => {
  const pace = new CopyPace({ bytesPerSecond: () => null, sendBehind, hasVisitors: () => true })
  const { bytes, sent, waited } = await sending(pace, 800)

  expect(bytes).toBeGreaterThan(SLICE)
  // The rest for the last slices comes with the next one, and a timer may be early by a millisecond.
  expect(waited).toBeGreaterThan(0.9 * 3 * (sent - 50))
})

test('a copy that is cut does not wait', async () => {
  const pace = new CopyPace({ bytesPerSecond: () => 1024, sendBehind, hasVisitors: () => true })
  const ending = new AbortController()
  const own = pace.begin('a', ending.signal)
  const waiting = own.take(10 * SLICE)
  own.end()

  await waiting
})
