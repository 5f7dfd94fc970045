import { expect, test } from 'vitest'
import { Visits } from '../../../server/features/stats/downloads'
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
