import { beforeEach, describe, expect, test } from 'vitest'
import type { KeptMapping } from '../../../../server/network/internet/lease/kept-mapping'
import type { Lease } from '../../../../server/network/internet/lease/lease'
import type { Leftovers } from '../../../../server/network/internet/lease/leftovers'
import { hasRebooted } from '../../../../server/network/internet/lease/timing'
import { DAY, HOUR, MINUTE, SECOND, TestClock } from '../../../support/test-clock'
import { tempDir } from '../../data/temp-dir'
import { aLease, WANTED } from './a-lease'
import { TableRouter } from './table-router'

let clock: TestClock
let router: TableRouter
let kept: KeptMapping
let lease: Lease
let leftovers: Leftovers

beforeEach(async () => {
  clock = new TestClock()
  router = new TableRouter(clock)
  const opened = await aLease({ clock, router, dataDir: await tempDir() })
  kept = opened.kept
  lease = opened.lease
  leftovers = opened.leftovers
})

/** Advances the clock in steps of a minute and looks after each. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += MINUTE) {
    clock.advance(MINUTE)
    await Promise.all([lease.look(), leftovers.look()])
  }
}

/** A promise that the test resolves. */
function gate() {
  let open = (): void => undefined
  const passed = new Promise<void>((resolve) => (open = resolve))
  return { passed, open: () => open() }
}

describe('renewal', () => {
  test('renews at half of the lifetime, with the same port and nonce', async () => {
    await lease.open(router, WANTED)
    expect(lease.until).toEqual(new Date(clock.now().getTime() + 15 * MINUTE))
    await pass(7 * MINUTE)
    expect(router.asked).toHaveLength(1)
    await pass(MINUTE)
    expect(router.asked[1]).toMatchObject({ ...WANTED, lifetimeS: 900, nonce: 'nonce 1' })
    await pass(DAY)
    expect(router.ports).toEqual([443])
  })

  test.each([
    ['120 s', 120],
    ['30 days', 30 * 86_400],
    ['nothing', 0],
    ['no number', NaN],
    ['136 years', 2 ** 32],
  ])('survives a router that grants %s', async (_title, granted) => {
    router.grants = () => granted
    await lease.open(router, WANTED)
    expect(lease.until!.getTime()).toBeLessThanOrEqual(clock.now().getTime() + 30 * DAY)
    await pass(HOUR)
    expect(router.asked.length).toBeGreaterThan(1)
    expect(lease.mapping?.external).toBe(443)
  })

  test('asks a router that keeps permanent mappings only, too, because it may reboot', async () => {
    router.isPermanent = true
    await lease.open(router, WANTED)
    expect(lease.until).toBeUndefined()
    router.reboot()
    await pass(30 * MINUTE)
    expect(router.ports).toEqual([443])
  })

  test('keeps the mapping while the router is silent, until the lease has ended', async () => {
    await lease.open(router, WANTED)
    router.isSilent = true
    await pass(14 * MINUTE)
    expect([lease.mapping?.external, lease.refusal?.reason]).toEqual([443, 'silent'])
    await pass(MINUTE)
    expect(lease.mapping).toBeUndefined()
  })

  test('loses the mapping when another device has taken the port meanwhile', async () => {
    await lease.open(router, WANTED)
    router.reboot()
    router.give(443, '192.168.77.30')
    await lease.renew()
    expect([lease.mapping, lease.refusal]).toEqual([undefined, expect.objectContaining({ holder: '192.168.77.30' })])
    expect(router.ports).toEqual([443])
  })

  test('renews after sleep, whichever clock stopped, and survives a clock that was set', async () => {
    await lease.open(router, WANTED)
    clock.setClock(31 * MINUTE)
    await lease.look()
    expect(router.asked).toHaveLength(2)
    clock.setClock(-5 * 365 * DAY)
    await lease.look()
    expect(router.asked).toHaveLength(2)
    await pass(8 * MINUTE)
    expect(router.asked).toHaveLength(3)
  })
})

describe('reboot', () => {
  test('maps again when the router announces a new epoch', async () => {
    await lease.open(router, WANTED)
    clock.advance(10 * MINUTE)
    await lease.hear({ router: router.address, epoch: router.epoch })
    expect(router.asked).toHaveLength(1)
    router.reboot()
    await lease.hear({ router: router.address, epoch: router.epoch })
    expect(router.asked).toHaveLength(2)
    expect(router.ports).toEqual([443])
  })

  test('ignores announcements of other routers', async () => {
    await lease.open(router, WANTED)
    clock.advance(HOUR / 4)
    await lease.hear({ router: '192.168.77.66', epoch: 0 })
    expect(router.asked).toHaveLength(1)
  })

  test('maps again when the router reboots during a renewal', async () => {
    await lease.open(router, WANTED)
    clock.advance(10 * MINUTE)
    const slow = gate()
    router.before = () => slow.passed
    const renewed = lease.renew()
    await expect.poll(() => router.asked.length).toBe(2)
    const heard = lease.hear({ router: router.address, epoch: 0 })
    slow.open()
    await renewed
    router.reboot()
    await heard
    expect(router.asked).toHaveLength(3)
    expect(router.ports).toEqual([443])
  })

  test('a flood of announcements asks the router once at a time', async () => {
    await lease.open(router, WANTED)
    clock.advance(HOUR / 4)
    const slow = gate()
    router.before = () => slow.passed
    const flood = Array.from({ length: 500 }, (_, index) => lease.hear({ router: router.address, epoch: index % 7 }))
    await expect.poll(() => router.asked.length).toBe(2)
    slow.open()
    await Promise.all(flood)
    expect(router.asked.length).toBeLessThanOrEqual(3)
  })

  test.each([
    ['the same pace', 1600, false],
    ['a slightly slow clock', 1570, false],
    ['back to the start', 5, true],
    ['far behind', 1400, true],
    ['far ahead', 1900, true],
  ])('compares epochs as RFC 6887 says: %s', (_title, epoch, isLost) => {
    const before = { epoch: 1000, elapsed: 0, wall: 0 }
    expect(hasRebooted(before, { epoch, elapsed: 600_000, wall: 0 })).toBe(isLost)
  })
})

describe('closing', () => {
  test('removes the mapping and its record', async () => {
    await lease.open(router, WANTED)
    await lease.close()
    expect([router.ports, lease.mapping, kept.get().mapping]).toEqual([[], undefined, null])
    await pass(HOUR)
    expect(router.ports).toEqual([])
  })

  test('removes a mapping that is being opened', async () => {
    const slow = gate()
    router.before = () => slow.passed
    const opened = lease.open(router, WANTED)
    await expect.poll(() => router.asked.length).toBe(1)
    const closed = lease.close()
    slow.open()
    await Promise.all([opened, closed])
    expect([router.ports, lease.mapping]).toEqual([[], undefined])
  })

  test('never asks the router when it was closed before its turn', async () => {
    await Promise.all([lease.open(router, WANTED), lease.close()])
    expect(router.ports).toEqual([])
  })

  test('opening twice asks the router once', async () => {
    await Promise.all([lease.open(router, WANTED), lease.open(router, WANTED)])
    expect(router.asked).toHaveLength(1)
  })

  test('opening at another port removes the first', async () => {
    await lease.open(router, WANTED)
    await lease.open(router, { ...WANTED, external: 4780 })
    expect(router.ports).toEqual([4780])
  })

  test('retries a removal that the router did not answer', async () => {
    await lease.open(router, WANTED)
    router.isSilent = true
    await lease.close()
    router.isSilent = false
    expect(router.ports).toEqual([443])
    await pass(MINUTE)
    expect([router.ports, kept.get().mapping, leftovers.all]).toEqual([[], null, []])
  })
})

test('a short pause between looks asks the router nothing', async () => {
  await lease.open(router, WANTED)
  for (let i = 0; i < 60; i++) {
    clock.advance(SECOND)
    await lease.look()
  }
  expect(router.asked).toHaveLength(1)
})
