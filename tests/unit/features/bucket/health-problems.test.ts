import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { BucketError, type BucketProblem } from '../../../../server/data/bucket/bucket-error'
import type { Health } from '../../../../server/features/bucket/health'
import { MINUTE, SECOND } from '../../../support/world/test-clock'
import { aHealth, broken } from './a-health'

let health: Health
let rig: ReturnType<typeof aHealth>['rig']
let pass: ReturnType<typeof aHealth>['pass']

beforeEach(() => ({ health, rig, pass } = aHealth()))

describe('a problem that only a person can fix', () => {
  test.each(['key_refused', 'no_permission'] as const)('%s: asks every 5 minutes', async (kind) => {
    health.failed(broken(kind))
    rig.problem = broken(kind)
    await pass(16 * MINUTE)

    expect(rig.asked).toEqual(['test at 300', 'test at 600', 'test at 900'])
    expect(rig.lines).toHaveLength(1)
  })

  test('a HEAD that works does not end a missing permission to write', async () => {
    health.failed(broken('no_permission'))
    health.worked()
    expect(health.isWell).toBe(false)

    await pass(5 * MINUTE)
    expect(rig.asked).toEqual(['test at 300'])
    expect(health.isWell).toBe(true)
  })

  test('a wrong clock is asked about at once after it was set', async () => {
    rig.problem = new BucketError('clock', 'RequestTimeTooSkewed', 20 * MINUTE)
    await pass(10 * MINUTE)
    expect(health.problem).toMatchObject({ kind: 'clock', clock_off_s: 1200 })
    expect(rig.lines).toEqual(["warn: This computer's clock is 20 minutes ahead of the bucket's."])
    const before = rig.asked.length

    rig.problem = undefined
    rig.clock.setClock(-20 * MINUTE)
    await pass(SECOND)
    expect(rig.asked).toHaveLength(before + 1)
    expect(health.isWell).toBe(true)
  })

  test('a full bucket stops copying only, and copying is tried every 5 minutes', async () => {
    await pass(SECOND)
    health.failed(broken('full', 'QuotaExceeded'))
    expect(health).toMatchObject({ isWell: true, mayCopy: false })
    expect(health.problem).toMatchObject({ kind: 'full', detail: 'QuotaExceeded' })

    await pass(5 * MINUTE)
    expect(health.mayCopy).toBe(true)
    health.failed(broken('full'))
    expect(health.mayCopy).toBe(false)
    await pass(5 * MINUTE)
    health.worked()

    expect(health).toMatchObject({ isWell: true, mayCopy: true, problem: null })
    expect(rig.lines).toEqual(['warn: The bucket is full.', 'info: The bucket has room again.'])
  })

  test('a full bucket that stops answering is not used', async () => {
    health.failed(broken('full'))
    rig.problem = broken('unreachable')
    await pass(SECOND)
    expect(health).toMatchObject({ isWell: false, problem: { kind: 'unreachable' } })

    rig.problem = undefined
    await pass(10 * SECOND)
    expect(health).toMatchObject({ isWell: true, problem: { kind: 'full' } })
  })

  test('a full bucket with nothing left to copy is forgotten', async () => {
    health.failed(broken('full'))
    await pass(10 * MINUTE)

    expect(health.problem).toBeNull()
  })
})

describe('a slow bucket', () => {
  test('is not used after three late answers in a row, until it answers in time', async () => {
    rig.answerMs = 5 * SECOND
    await pass(20 * SECOND)
    expect(rig.asked).toHaveLength(2)
    expect(health.isWell).toBe(true)

    await pass(20 * SECOND)
    expect(health.problem).toMatchObject({ kind: 'slow', detail: null })

    rig.answerMs = 100
    await pass(10 * SECOND)
    expect(health.isWell).toBe(true)
    expect(rig.lines).toEqual([
      'warn: The bucket answers too slowly.',
      'info: The bucket works again.',
    ])
  })

  test('one answer in time between late ones keeps it in use', async () => {
    for (const ms of [5, 5, 0.1, 5, 5, 0.1]) {
      rig.answerMs = ms * SECOND
      await pass(15 * SECOND)
    }

    expect(health.isWell).toBe(true)
    expect(rig.lines).toEqual([])
  })
})

describe('any history', () => {
  type Step =
    | { ms: number }
    | { fails: BucketProblem }
    | { answers: BucketProblem | null }
    | { worked: true }
  const kinds: BucketProblem[] = [
    'unreachable',
    'slow',
    'key_refused',
    'no_permission',
    'no_bucket',
    'clock',
    'busy',
    'full',
  ]
  const kind = fc.constantFrom(...kinds)
  const steps: fc.Arbitrary<Step[]> = fc.array(
    fc.oneof(
      fc.record({ ms: fc.integer({ min: 1, max: 400_000 }) }),
      fc.record({ fails: kind }),
      fc.record({ answers: fc.option(kind) }),
      fc.constant({ worked: true as const }),
    ),
    { maxLength: 40 },
  )

  const run = async (given: Step[]) => {
    const it = aHealth()
    for (const step of given) {
      if ('ms' in step) {
        it.rig.clock.advance(step.ms)
        await it.health.look()
      } else if ('fails' in step) it.health.failed(broken(step.fails))
      else if ('answers' in step)
        it.rig.problem = step.answers === null ? undefined : broken(step.answers)
      else it.health.worked()
      const { kind: shown } = it.health.problem ?? {}
      const isFailing = shown !== undefined && shown !== 'full'
      expect(it.health.isFailing).toBe(isFailing)
      if (isFailing) expect(it.health).toMatchObject({ isWell: false, mayCopy: false })
    }
    return it
  }

  test('never redirects while it fails, asks again within 5 minutes, and is well 10 minutes after the bucket is', () =>
    fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const it = await run(given)
        const before = it.rig.asked.length
        await it.pass(5 * MINUTE + SECOND)
        expect(it.rig.asked.length).toBeGreaterThan(before)
        it.rig.problem = undefined
        await it.pass(10 * MINUTE + SECOND)
        expect(it.health).toMatchObject({ isWell: true, mayCopy: true, problem: null })
      }),
      { numRuns: 200 },
    ))
})
