import { describe, expect, test } from 'vitest'
import { bucketProblems, type BucketView } from '../../../server/contract/host/bucket'
import {
  bucketProblemLine,
  bucketProblemTexts,
  bucketStepTexts,
} from '../../../server/texts/host/bucket-texts'

type Problem = NonNullable<BucketView['problem']>

const problem = (kind: Problem['kind'], off: number | null = null): Problem => ({
  kind,
  since: '2030-01-02T14:02:00.000Z',
  detail: null,
  clock_off_s: off,
})
const timeOf = (iso: string) => iso.slice(11, 16)

describe('bucketProblemTexts', () => {
  test.each([
    ['unreachable', 'The bucket does not answer.'],
    ['slow', 'The bucket answers too slowly.'],
    ['key_refused', 'The bucket refuses the key.'],
    ['no_permission', 'The bucket answers, but the key lacks a permission.'],
    ['no_bucket', 'The bucket does not exist.'],
    ['redirects', 'The endpoint leads to another address.'],
    ['busy', 'The bucket asks Slipway to wait.'],
    ['rejected', 'The bucket rejects what Slipway sends.'],
    ['keys_missing', 'The keys of the bucket are missing.'],
  ] as const)('%s: what is wrong, since when, and what to do', (kind, line) => {
    const words = bucketProblemTexts(problem(kind), timeOf)

    expect(words).toMatchObject({
      line,
      effect: 'Downloads have come from this computer since 14:02.',
    })
    expect(words.advice).toMatch(/^[A-Z].*\.$/)
  })

  test('a full bucket still serves its copies', () => {
    expect(bucketProblemTexts(problem('full'), timeOf)).toMatchObject({
      line: 'The bucket is full.',
      effect: 'No builds have been copied since 14:02. Copies that are in the bucket still work.',
    })
  })

  test.each([
    [1200, "This computer's clock is 20 minutes ahead of the bucket's."],
    [-1200, "This computer's clock is 20 minutes behind the bucket's."],
    [-5100, "This computer's clock is 85 minutes behind the bucket's."],
    [4 * 3600, "This computer's clock is 4 hours ahead of the bucket's."],
    [-365 * 86_400, "This computer's clock is 365 days behind the bucket's."],
    [null, "This computer's clock differs from the bucket's."],
  ])('names a difference of %s s', (off, line) => {
    expect(bucketProblemLine(problem('clock', off))).toBe(line)
  })
})

describe('bucketStepTexts', () => {
  test.each([
    ['put', 'write', 's3:PutObject'],
    ['read', 'read', 's3:GetObject'],
    ['head', 'read', 's3:GetObject'],
    ['delete', 'delete', 's3:DeleteObject'],
  ] as const)('%s: names the missing permission', (step, may, permission) => {
    const { line, advice } = bucketStepTexts(step, 'no_permission')

    expect(line).toBe(`The bucket answers, but the key may not ${may}.`)
    expect(advice).toContain(permission)
  })

  test('tells that a test of a silent endpoint is not repeated', () => {
    expect(bucketStepTexts('put', 'unreachable').advice).toMatch(/test again\.$/)
  })

  test.each(bucketProblems.filter((kind) => !['no_permission', 'unreachable'].includes(kind)))(
    '%s: says the same for each step',
    (kind) => {
      const { line, advice } = bucketProblemTexts(problem(kind), timeOf)

      expect(bucketStepTexts('put', kind)).toEqual({ line, advice })
    },
  )
})
