import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BucketProblem } from '../../../../server/data/bucket/bucket-error'
import { MINUTE, SECOND } from '../../../support/world/test-clock'
import { aHealth, broken } from './a-health'

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
