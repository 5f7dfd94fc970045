import { beforeEach, describe, expect, test } from 'vitest'
import { Health } from '../../../../server/features/bucket/health'
import { HOUR, MINUTE, SECOND } from '../../../support/world/test-clock'
import { aHealth, broken, COPY } from './a-health'

let health: Health
let rig: ReturnType<typeof aHealth>['rig']
let pass: ReturnType<typeof aHealth>['pass']

beforeEach(() => ({ health, rig, pass } = aHealth()))

describe('a bucket that works', () => {
  test('is asked for one copy every 15 seconds', async () => {
    await pass(MINUTE)

    expect(rig.asked).toEqual(['head at 1', 'head at 16', 'head at 31', 'head at 46'])
    expect(health).toMatchObject({ isWell: true, mayCopy: true, problem: null })
    expect(rig.lines).toEqual([])
  })

  test('is not used before its first answer', async () => {
    expect(health).toMatchObject({ isWell: false, isFailing: false, mayCopy: true, problem: null })
    await pass(SECOND)
    expect(health.isWell).toBe(true)
  })

  test('is tested once with a small object while it has no copies', async () => {
    rig.copy = undefined
    await pass(HOUR)

    expect(rig.asked).toEqual(['test at 1'])
    expect(health.isWell).toBe(true)
  })

  test('is not asked while it is left and has no copies', async () => {
    Object.assign(rig, { copy: undefined, isOn: false })
    await pass(HOUR)

    expect(rig.asked).toEqual([])
  })

  test('is asked once at a time', async () => {
    rig.hangs = true
    const first = health.look()
    await pass(MINUTE)
    expect(rig.asked).toHaveLength(1)

    rig.hangs = false
    rig.answer?.()
    await first
    await pass(MINUTE)
    expect(rig.asked.length).toBeGreaterThan(3)
  })
})

describe('before a visitor is redirected', () => {
  const confirmAll = () => Promise.all(Array.from({ length: 100 }, () => health.confirm()))
  beforeEach(() => pass(SECOND))

  test('an answer of the last 2 seconds is enough, and an older one is renewed once for all visitors', async () => {
    rig.clock.advance(2 * SECOND - 1)
    expect(await health.confirm()).toBe(true)
    expect(rig.asked).toEqual(['head at 1'])

    rig.clock.advance(1)
    expect(new Set(await confirmAll())).toEqual(new Set([true]))
    expect(rig.asked).toEqual(['head at 1', 'head at 3'])
  })

  test('a bucket that is silent keeps visitors for a moment only, and is used again with its answer', async () => {
    rig.clock.advance(2 * SECOND)
    rig.hangs = true
    const waiting = confirmAll()
    rig.losePatience?.()
    expect(new Set(await waiting)).toEqual(new Set([false]))
    expect(await health.confirm()).toBe(false)
    expect(health).toMatchObject({ isWell: true, isFailing: false })

    rig.answer?.()
    await expect.poll(() => health.confirm()).toBe(true)
    expect(rig.asked).toEqual(['head at 1', 'head at 3'])
  })

  test('a question of the host that is on its way is shared', async () => {
    rig.clock.advance(15 * SECOND)
    rig.hangs = true
    const asked = health.look()
    const waiting = health.confirm()
    rig.answer?.()

    expect(await waiting).toBe(true)
    await asked
    expect(rig.asked).toEqual(['head at 1', 'head at 16'])
  })
})

describe('a bucket that fails', () => {
  test('is asked after 5 s, then after twice as long, at most after 5 minutes', async () => {
    rig.problem = broken('unreachable', 'connect ECONNREFUSED')
    await pass(20 * MINUTE)

    const times = [1, 6, 16, 36, 76, 156, 316, 616, 916]
    expect(rig.asked).toEqual(times.map((at) => `head at ${at}`))
    expect(health).toMatchObject({ isWell: false, mayCopy: false })
    expect(health.problem).toEqual({
      kind: 'unreachable',
      since: '2030-01-02T03:04:06.000Z',
      detail: 'connect ECONNREFUSED',
      clock_off_s: null,
    })
  })

  test('is used again with the first answer', async () => {
    rig.problem = broken('unreachable')
    await pass(10 * SECOND)
    rig.problem = undefined
    await pass(5 * SECOND)
    expect(health.isWell).toBe(false)

    await pass(SECOND)
    expect(health).toMatchObject({ isWell: true, problem: null })
    expect(rig.lines).toEqual([
      'warn: The bucket does not answer.',
      'info: The bucket works again.',
    ])
    expect(rig.changes).toBe(2)
  })

  test('stops redirects as soon as copying fails, and only once for all calls of that moment', async () => {
    await pass(SECOND)
    health.failed(broken('unreachable'))
    health.failed(broken('busy'))
    health.failed(broken('unreachable'))

    expect(health.isWell).toBe(false)
    rig.problem = broken('unreachable')
    await pass(10 * SECOND)
    expect(rig.asked).toEqual(['head at 1', 'head at 6'])
    expect(rig.lines).toHaveLength(1)
  })

  test('waits longer if it fails again within a minute', async () => {
    health.failed(broken('busy'))
    await pass(5 * SECOND)
    expect(health.isWell).toBe(true)

    health.failed(broken('busy'))
    await pass(9 * SECOND)
    expect(health.isWell).toBe(false)
    await pass(SECOND)
    expect(health.isWell).toBe(true)

    await pass(MINUTE)
    health.failed(broken('busy'))
    await pass(5 * SECOND)
    expect(health.isWell).toBe(true)
  })

  test('is tested at once after a change of settings, and an answer to older ones does not count', async () => {
    rig.hangs = true
    rig.clock.advance(SECOND)
    const asked = health.look()
    health.failed(broken('key_refused'))
    health.reset()
    expect(health).toMatchObject({ isFailing: false, problem: null })

    rig.problem = broken('unreachable')
    rig.answer?.()
    await asked
    expect(health.isFailing).toBe(false)

    rig.hangs = false
    await pass(SECOND)
    expect(rig.asked).toEqual(['head at 1', 'head at 2'])
    expect(health.isWell).toBe(false)
  })

  test('a new problem replaces the earlier one, with its own time and line in the log', async () => {
    health.failed(broken('unreachable'))
    rig.problem = broken('no_bucket', 'NoSuchBucket')
    await pass(5 * SECOND)

    expect(health.problem).toMatchObject({
      kind: 'no_bucket',
      since: '2030-01-02T03:04:10.000Z',
      detail: 'NoSuchBucket',
    })
    expect(rig.lines).toEqual([
      'warn: The bucket does not answer.',
      'warn: The bucket does not exist.',
    ])
  })
})

test('errors of the host and rejected files say nothing about the bucket', async () => {
  health.failed(new Error('EIO'))
  health.failed(broken('rejected'))
  expect(health.isFailing).toBe(false)

  rig.problem = undefined
  rig.isEmpty = true
  const failing = new Health({
    clock: rig.clock,
    log: { info: () => undefined, warn: () => undefined },
    bucket: () => ({ head: () => Promise.resolve(undefined) }),
    someCopy: () => COPY,
    isOn: () => true,
    missed: () => Promise.reject(new Error('EROFS')),
    test: () => Promise.resolve([]),
    patience: () => Promise.resolve(),
  })
  await expect(failing.look()).rejects.toThrow('EROFS')
  expect(failing.isFailing).toBe(false)
})
