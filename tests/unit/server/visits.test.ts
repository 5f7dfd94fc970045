import { expect, test } from 'vitest'
import { Visits } from '../../../server/features/stats/visits'
import { MINUTE, TestWorld } from '../../support/test-world'

test('a visitor is new to a thing once within 30 minutes', () => {
  const world = new TestWorld()
  const visits = new Visits(world)
  const arrives = () => visits.isFirst('alice', 'rocket')

  expect([arrives(), arrives()]).toEqual([true, false])
  world.advance(30 * MINUTE - 1)
  expect(arrives()).toBe(false)
  world.advance(1)
  expect(arrives()).toBe(true)
})

test('every visitor and every thing counts apart', () => {
  const visits = new Visits(new TestWorld())

  expect([
    visits.isFirst('alice', 'rocket'),
    visits.isFirst('bob', 'rocket'),
    visits.isFirst('alice', 'spaceship'),
  ]).toEqual([true, true, true])
})

test('what is remembered does not grow for ever', () => {
  const world = new TestWorld()
  const visits = new Visits(world)
  for (let number = 0; number < 10_000; number++) visits.isFirst(`visitor ${number}`, 'rocket')
  world.advance(31 * MINUTE)

  const started = performance.now()
  for (let number = 0; number < 20_000; number++) visits.isFirst(`late visitor ${number}`, 'rocket')

  expect(performance.now() - started).toBeLessThan(5000)
})
