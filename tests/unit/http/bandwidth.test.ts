import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Bandwidth, type Flow, type Rates } from '../../../server/http/transfers/bandwidth'

const none: Rates = { perTransfer: null, perVisitor: null, inAll: null }
const MB = 1_000_000

/** Moves bytes as fast as the flow allows until it is stopped; `moved` counts them. */
function moving(flow: Flow) {
  const state = { moved: 0, stopped: false }
  const run = async () => {
    while (!state.stopped) {
      state.moved += await flow.take(64 * 1024)
      await pause(0)
    }
  }
  const ended = run()
  return {
    state,
    async stop() {
      state.stopped = true
      flow.end()
      await ended
    },
  }
}

/** A clock that skips stalls of the machine, which would favour the visitor with eight connections. */
function steadyClock(): () => number {
  let [time, last] = [0, performance.now()]
  return () => {
    const now = performance.now()
    time += Math.min(now - last, 20)
    last = now
    return time
  }
}

async function during(ms: number, flows: Flow[]): Promise<number[]> {
  const all = flows.map(moving)
  await pause(ms)
  const moved = all.map(({ state }) => state.moved)
  await Promise.all(all.map((one) => one.stop()))
  return moved
}

test('without a limit, all bytes pass at once', () => {
  const flow = new Bandwidth(() => none).enter('alice')

  expect(flow.take(512 * 1024)).toBe(512 * 1024)
})

test.each(['perTransfer', 'perVisitor', 'inAll'] as const)('a limit %s is never exceeded', async (which) => {
  const bandwidth = new Bandwidth(() => ({ ...none, [which]: MB }))
  const begun = performance.now()
  const [moved] = await during(500, [bandwidth.enter('alice')])
  const seconds = (performance.now() - begun) / 1000

  expect(moved).toBeLessThanOrEqual(MB * seconds)
  expect(moved).toBeGreaterThan(0)
})

test('many small transfers share their visitor’s limit, and a restart gains nothing', async () => {
  const bandwidth = new Bandwidth(() => ({ ...none, perVisitor: MB }))
  const begun = performance.now()
  let moved = 0
  while (performance.now() - begun < 400) {
    const flow = bandwidth.enter('alice')
    moved += await flow.take(10_000)
    flow.end()
  }

  expect(moved).toBeLessThanOrEqual(MB * ((performance.now() - begun) / 1000) + 10_000)
})

test('what there is is shared by visitors, not by connections', async () => {
  const bandwidth = new Bandwidth(() => ({ ...none, inAll: 4 * MB }), steadyClock())
  const flows = [bandwidth.enter('bob'), ...Array.from({ length: 7 }, () => bandwidth.enter('alice'))]
  const all = flows.map(moving)
  const inAll = () => all.reduce((sum, { state }) => sum + state.moved, 0)
  await expect.poll(inAll).toBeGreaterThan(3 * MB)
  const [share, least] = [all[0]!.state.moved / inAll(), Math.min(...all.map(({ state }) => state.moved))]
  await Promise.all(all.map((one) => one.stop()))

  expect(share).toBeGreaterThan(0.35)
  expect(least).toBeGreaterThan(0)
})

test('a new limit applies and a removed one stops applying while transfers run', async () => {
  let rates: Rates = { ...none, inAll: 2048 }
  const bandwidth = new Bandwidth(() => rates)
  const one = moving(bandwidth.enter('alice'))
  await pause(100)
  const slow = one.state.moved
  rates = none
  await expect.poll(() => one.state.moved).toBeGreaterThan(10 * MB)
  rates = { ...none, perTransfer: 2048 }
  await pause(50)
  const before = one.state.moved
  await pause(200)

  expect(slow).toBeLessThan(10_000)
  expect(one.state.moved - before).toBeLessThan(10_000)
  await one.stop()
})

test('a transfer that ends while it waits does not hang', async () => {
  const flow = new Bandwidth(() => ({ ...none, inAll: 1024 })).enter('alice')
  const waiting = flow.take(1024)
  flow.end()

  expect(await waiting).toBe(1024)
})

test('the host’s own work gets what visitors leave, and at least one share in ten', async () => {
  const bandwidth = new Bandwidth(() => ({ ...none, perVisitor: 64 * MB, inAll: 4 * MB }), steadyClock())
  const [alice, own] = [moving(bandwidth.enter('alice')), moving(bandwidth.enterBehind('copies'))]
  await expect.poll(() => alice.state.moved + own.state.moved).toBeGreaterThan(3 * MB)
  const share = own.state.moved / (alice.state.moved + own.state.moved)
  await alice.stop()
  const before = own.state.moved
  await expect.poll(() => own.state.moved - before).toBeGreaterThan(MB)
  await own.stop()

  expect(share).toBeGreaterThan(0.05)
  expect(share).toBeLessThan(0.2)
})

test('the limit of a visitor does not slow the host’s own work', () => {
  const bandwidth = new Bandwidth(() => ({ ...none, perTransfer: 2048, perVisitor: 2048 }))

  expect(bandwidth.enterBehind('copies').take(MB)).toBe(MB)
})
