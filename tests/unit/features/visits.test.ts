import { expect, test } from 'vitest'
import type { ActivityDelta } from '../../../server/data/library/activity-deltas'
import { Downloads, Visits } from '../../../server/features/stats/downloads'
import { MINUTE, TestClock } from '../../support/world/test-clock'

test('a visitor is new to a thing once within 30 minutes', () => {
  const clock = new TestClock()
  const visits = new Visits(clock)
  const arrives = () => visits.isFirst('alice', 'rocket')

  expect([arrives(), arrives()]).toEqual([true, false])
  clock.advance(30 * MINUTE - 1)
  expect(arrives()).toBe(false)
  clock.advance(1)
  expect(arrives()).toBe(true)
})

test('every visitor and every thing counts apart', () => {
  const visits = new Visits(new TestClock())

  expect([
    visits.isFirst('alice', 'rocket'),
    visits.isFirst('bob', 'rocket'),
    visits.isFirst('alice', 'spaceship'),
  ]).toEqual([true, true, true])
})

test('a visitor with ever new names does not fill the memory: forgets the first beyond 100,000', () => {
  const visits = new Visits(new TestClock())
  for (let name = 0; name <= 100_000; name++) visits.isFirst(`name ${name}`, 'rocket')

  expect(visits.isFirst('name 100000', 'rocket')).toBe(false)
  expect(visits.isFirst('name 0', 'rocket')).toBe(true)
})

test('a download in parts counts once, whichever hosts of a cluster have sent them', () => {
  const counted: string[] = []
  const counts = { downloaded: (visitor: string) => void counted.push(visitor) }
  const clock = new TestClock()
  const file = { id: 'rocket', size: 100 }
  const primary = new Downloads(counts, clock)
  const told: ActivityDelta[] = []
  const replicas = [1, 2].map(() => new Downloads(counts, clock, (mark) => void told.push(mark)))
  const send = (from: Downloads | undefined, start: number, end: number, holdsLease = true) => {
    const reply = from?.begin('alice', file)
    reply?.delivered({ start, end }, holdsLease)
    reply?.end()
  }
  const recordActivity = () => {
    for (const mark of told.splice(0))
      if (mark.kind === 'received') primary.receive('alice', file, {}, mark)
  }
  // Cut at the first replica, resumed at the second. What is told later may have happened first.
  send(replicas[1], 50, 99)
  recordActivity()
  send(replicas[0], 0, 39)
  send(replicas[0], 40, 59, false)
  expect(counted).toEqual([])
  recordActivity()
  expect(counted).toEqual(['alice'])
  // A whole one is none in parts.
  send(replicas[0], 0, 99)
  expect(told).toEqual([])
  expect(counted).toEqual(['alice', 'alice'])
})
