import { describe, expect, test } from 'vitest'
import {
  readClock,
  TrustedClock,
  type ClockState,
} from '../../../server/data/library/trusted-clock'
import { TestClock } from '../../support/world/test-clock'
import { collectionAs, openLibrary } from '../../support/data/temp-library'
import { tempDir } from '../../support/system/temp-dir'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const T = Date.parse('2030-01-02T03:04:05Z')

const right: ClockState = { last: T, trusted: T, wait: 0 }

/** Reads every hour for so many hours, on a clock that is ahead by `ahead`. */
function runFor(state: ClockState, hours: number): ClockState {
  let current = state
  for (let hour = 0; hour < hours; hour++) current = readClock(current, current.last + HOUR, HOUR)
  return current
}

describe('a clock is trusted', () => {
  test('as long as it advances with the running time', () => {
    expect(runFor(right, 100)).toEqual({ last: T + 100 * HOUR, trusted: T + 100 * HOUR, wait: 0 })
  })

  test('when it is set by a few hours, and after a night without power', () => {
    for (const ran of [0, null]) {
      expect(readClock(right, T + 23 * HOUR, ran).wait).toBe(0)
      expect(readClock(right, T - 23 * HOUR, ran).wait).toBe(0)
    }
  })

  test('at once, when it is right again', () => {
    const ahead = readClock(right, T + 9 * DAY, null)
    expect(readClock(runFor(ahead, 3), T + 5 * HOUR, HOUR)).toEqual({
      last: T + 5 * HOUR,
      trusted: T + 5 * HOUR,
      wait: 0,
    })
  })
})

describe('after a jump of more than a day', () => {
  test.for([
    ['ahead, at a start', 9 * DAY, null],
    ['ahead, while it runs', 9 * DAY, 0],
    ['back, at a start', -30 * DAY, null],
    ['back, while it runs', -30 * DAY, 0],
  ] as const)(
    '%s: the running time counts until the clock has run for 24 hours',
    ([, jump, ran]) => {
      const jumped = readClock(right, T + jump, ran)
      expect(jumped).toEqual({ last: T + jump, trusted: T, wait: DAY })
      expect(runFor(jumped, 23)).toEqual({
        last: T + jump + 23 * HOUR,
        trusted: T + 23 * HOUR,
        wait: HOUR,
      })
      expect(runFor(jumped, 24)).toEqual({ last: T + jump + DAY, trusted: T + jump + DAY, wait: 0 })
    },
  )

  test('another one starts the wait again', () => {
    const waiting = runFor(readClock(right, T + 9 * DAY, null), 23)
    expect(readClock(waiting, waiting.last + 2 * DAY, 0).wait).toBe(DAY)
    expect(readClock(waiting, waiting.last - 2 * DAY, null).wait).toBe(DAY)
  })

  test('a host that was off resumes its wait: it may run for some hours a week', () => {
    let state = right
    for (let week = 1; week <= 8; week++)
      state = runFor(readClock(state, T + week * 7 * DAY, null), 3)
    expect(state).toEqual({
      last: T + 56 * DAY + 3 * HOUR,
      trusted: T + 56 * DAY + 3 * HOUR,
      wait: 0,
    })
  })
})

describe('the trusted clock of a library', () => {
  test('resumes from the time that the last run saved', async () => {
    const [dir, computer] = [await tempDir(), new TestClock()]
    const first = await openLibrary(dir)
    await new TrustedClock(first, computer).keep()
    await first.close()
    const before = computer.now()
    computer.setClock(9 * DAY)

    const clock = new TrustedClock(await openLibrary(dir), computer)

    expect([clock.now(), clock.stamp()]).toEqual([before, computer.now()])
  })

  test('begins with the newest time that an older version has left', async () => {
    const [library, computer] = [await openLibrary(await tempDir()), new TestClock()]
    const deletedAt = computer.now().toISOString()
    await library.transact((tx) =>
      tx.put(collectionAs<{ deletedAt: string }>(library, 'trash'), 'a', { deletedAt }),
    )
    computer.setClock(9 * DAY)

    expect(new TrustedClock(library, computer).now().toISOString()).toBe(deletedAt)
  })

  test('a new library has the time of the computer', async () => {
    const [library, computer] = [await openLibrary(await tempDir()), new TestClock()]

    expect(new TrustedClock(library, computer).now()).toEqual(computer.now())
  })
})
