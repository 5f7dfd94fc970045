import type { BucketTestStep, BucketView } from '../../../server/contract/host/bucket'
import { bucketProblemTexts } from '../../../server/texts/host/bucket-texts'
import { bucketTroubles } from '../../../server/texts/files/bucket-troubles'
import { formatClock, formatWhole } from '../../lib/texts/format'

/** The steps of the test, in order. */
export const testSteps: Record<BucketTestStep['step'], string> = {
  put: 'Write a test object',
  read: 'Download it by a temporary address',
  head: 'Check its size and checksum',
  delete: 'Delete it',
}

/** The state in one sentence. */
export function stateLine(view: BucketView): string {
  const { state, copies } = view
  if (state === 'off') return 'All downloads come from this computer.'
  if (state === 'switching_off') return 'Deleting the copies from the bucket…'

  const problem = problemOf(view)
  if (problem) return problem.line
  if (state === 'checking') return 'Checking the bucket…'
  if (state === 'copying') return 'Copying public builds to the bucket…'
  if (copies.wanted === 0) return 'Ready: the next public build is copied.'

  return copies.wanted === 1
    ? 'The public build has a copy.'
    : `All ${formatWhole(copies.wanted)} public builds have a copy.`
}

/** The problem, its effect, and advice. */
export function problemOf({ problem }: BucketView) {
  if (problem === null) return undefined
  const { line, effect, advice } = bucketProblemTexts(problem, formatClock)
  return { line, effect, advice: `${advice}${quoteError(problem.detail)}` }
}

export const quoteError = (detail: string | null): string =>
  detail === null ? '' : ` The error was: “${detail}”.`

export const troubleText = ({ filename, trouble }: BucketView['troubled'][number]): string =>
  `${filename}: ${bucketTroubles[trouble]}`
