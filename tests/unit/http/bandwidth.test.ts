import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Bandwidth, type Flow, type Rates } from '../../../server/http/transfers/bandwidth'

const none: Rates = { perTransfer: null, perVisitor: null, inAll: null }
const MB = 1_000_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const passSeconds = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

/**
 * Moves bytes as fast as the flow allows, at most 64 KiB each millisecond, until it is stopped;
 * `moved` counts them.
 */
function moving(flow: Flow) {
  const state = { moved: 0, stop }
  let isStopped = false
  function stop(): void {
    isStopped = true
    flow.end()
  }
  const run = async () => {
    while (!isStopped) {
      state.moved += await flow.take(64 * 1024)
      await new Promise((resolve) => void setTimeout(resolve, 1))
    }
  }
  void run()
  return state
}

test.each(['perTransfer', 'perVisitor', 'inAll'] as const)(
  'a limit %s is used up and never exceeded',
  async (which) => {
    const bandwidth = new Bandwidth(() => ({ ...none, [which]: MB }))
    const one = moving(bandwidth.enter('alice'))
    await passSeconds(2)

    expect(one.moved).toBeLessThanOrEqual(2 * MB)
    expect(one.moved).toBeGreaterThan(1.8 * MB)
    one.stop()
  },
)

test('many small transfers share their visitor’s limit, and a restart gains nothing', async () => {
  const bandwidth = new Bandwidth(() => ({ ...none, perVisitor: MB }))
  let [moved, isStopped] = [0, false]
  const run = async () => {
    while (!isStopped) {
      const flow = bandwidth.enter('alice')
      moved += await flow.take(10_000)
      flow.end()
    }
  }
  const running = run()
  await passSeconds(1)
  isStopped = true

  expect(moved).toBeLessThanOrEqual(MB)
  expect(moved).toBeGreaterThan(0.4 * MB)
  await passSeconds(1)
  await running
})

test('what there is is shared by visitors, not by connections', async () => {
  const bandwidth = new Bandwidth(() => ({ ...none, inAll: 4 * MB }))
  const bob = moving(bandwidth.enter('bob'))
  const alice = Array.from({ length: 7 }, () => moving(bandwidth.enter('alice')))
  await passSeconds(2)
  const moved = alice.map((one) => one.moved)

  expect(bob.moved / (4 * MB)).toBeCloseTo(1, 1)
  expect(Math.min(...moved)).toBeGreaterThan(Math.max(...moved) * 0.5)
  for (const one of [bob, ...alice]) one.stop()
})

test('a new limit applies and a removed one stops applying while transfers run', async () => {
  let rates: Rates = { ...none, inAll: 2048 }
  const bandwidth = new Bandwidth(() => rates)
  const one = moving(bandwidth.enter('alice'))
  await passSeconds(1)
  const slow = one.moved
  rates = none
  await passSeconds(1)
  const fast = one.moved
  rates = { ...none, perTransfer: 2048 }
  await passSeconds(1)

  expect(slow).toBeLessThanOrEqual(2048)
  expect(fast).toBeGreaterThan(50 * MB)
  expect(one.moved - fast).toBeLessThan(4096)
  one.stop()
})

test('a transfer that ends while it waits does not hang', async () => {
  const flow = new Bandwidth(() => ({ ...none, inAll: 1024 })).enter('alice')
  const waiting = flow.take(1024)
  flow.end()

  expect(await waiting).toBe(1024)
})

test('the host’s own work gets what visitors leave, and at least one share in ten', async () => {
  const bandwidth = new Bandwidth(() => ({ ...none, perVisitor: 64 * MB, inAll: 4 * MB }))
  const alice = [1, 2, 3, 4].map(() => moving(bandwidth.enter('alice')))
  const own = moving(bandwidth.enterBehind('copies'))
  await passSeconds(2)
  const share = own.moved / (8 * MB)
  for (const one of alice) one.stop()
  const before = own.moved
  await passSeconds(1)

  expect(share).toBeCloseTo(0.1, 1)
  expect(own.moved - before).toBeGreaterThan(3 * MB)
  own.stop()
})

test('the limit of a visitor does not slow the host’s own work', () => {
  const bandwidth = new Bandwidth(() => ({ ...none, perTransfer: 2048, perVisitor: 2048 }))

  expect(bandwidth.enterBehind('copies').take(MB)).toBe(MB)
})
