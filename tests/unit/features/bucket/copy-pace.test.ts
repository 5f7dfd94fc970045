import { expect, onTestFinished, test, vi } from 'vitest'
import { Bandwidth } from '../../../../server/http/transfers/bandwidth'
import { CopyPace } from '../../../../server/features/bucket/copying/copy-pace'

const free = new Bandwidth(() => ({ perTransfer: null, perVisitor: null, inAll: null }))
const sendBehind = (name: string) => free.enterBehind(name)

test('copies leave three quarters of the time to visitors', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const pace = new CopyPace({ bytesPerSecond: () => null, sendBehind, hasVisitors: () => true })
  const own = pace.begin('a', new AbortController().signal)
  const running = setInterval(() => vi.advanceTimersByTime(10), 1)
  onTestFinished(() => clearInterval(running))
  await own.take(1)
  for (const sent of [100, 200]) {
    vi.advanceTimersByTime(sent)
    const from = performance.now()
    await own.take(1)
    expect(performance.now() - from).toBeGreaterThanOrEqual(3 * sent)
  }
  own.end()
})

test('a copy that is stopped does not wait', async () => {
  const pace = new CopyPace({ bytesPerSecond: () => 1024, sendBehind, hasVisitors: () => true })
  const ending = new AbortController()
  const own = pace.begin('a', ending.signal)
  const waiting = own.take(1_000_000)
  own.end()

  await waiting
})
