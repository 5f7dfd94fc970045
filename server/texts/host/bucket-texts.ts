import type { BucketTestStep, BucketView } from '../../contract/host/bucket'
import { formatQuantity } from '../format'

type Problem = NonNullable<BucketView['problem']>
type BucketProblem = NonNullable<BucketTestStep['problem']>

/**
 * The sentences about a problem of the bucket. The Host page, the command line and the log share
 * them.
 */
interface ProblemWords {
  /** The problem. */
  line: string
  /** Its effect: what still works, and since when. */
  effect: string
  /** The advice. */
  advice: string
}

/**
 * The sentences of a problem. `timeOf` writes its time as the reader's place does, such as '14:02'.
 */
export function bucketProblemTexts(
  problem: Problem,
  timeOf: (iso: string) => string,
): ProblemWords {
  const since = timeOf(problem.since)
  const isFull = problem.kind === 'full'
  const effect = isFull
    ? `No builds have been copied since ${since}. Copies that are in the bucket still work.`
    : `Downloads have come from this computer since ${since}.`
  return { line: bucketProblemLine(problem), effect, advice: advices[problem.kind] }
}

/** One sentence about the problem of the bucket. */
export const bucketProblemLine = ({
  kind,
  clock_off_s: off,
}: Pick<Problem, 'kind' | 'clock_off_s'>): string =>
  kind === 'clock' && off !== null
    ? `This computer's clock is ${clockText(off)} the bucket's.`
    : lines[kind]

const lines: Record<Problem['kind'], string> = {
  unreachable: 'The bucket does not answer.',
  slow: 'The bucket answers too slowly.',
  key_refused: 'The bucket refuses the key.',
  no_permission: 'The bucket answers, but the key lacks a permission.',
  no_bucket: 'The bucket does not exist.',
  clock: "This computer's clock differs from the bucket's.",
  redirects: 'The endpoint leads to another address.',
  busy: 'The bucket asks Slipway to wait.',
  full: 'The bucket is full.',
  rejected: 'The bucket rejects what Slipway sends.',
  keys_missing: 'The keys of the bucket are missing.',
}

const advices: Record<Problem['kind'], string> = {
  unreachable:
    "Slipway keeps trying. If this lasts, check this computer's internet connection and the " +
    'endpoint in the settings.',
  slow: 'Slipway uses the bucket again when it answers within 2 seconds.',
  key_refused: 'Create a new key at your provider and enter it in the settings.',
  no_permission: 'Allow the key to list the bucket, and to read, write and delete objects in it.',
  no_bucket: 'Create it at your provider, or correct its name and region in the settings.',
  clock: "Set this computer's clock, or let the system set it automatically.",
  redirects: "Enter the endpoint of the bucket's own region in the settings.",
  busy:
    'Slipway tries again later. If this lasts, ask your provider about the limits of your ' +
    'plan.',
  full: 'Free some space in the bucket, or raise its limit at your provider.',
  rejected: 'Select Test in the settings to see which step fails.',
  keys_missing: 'Backups contain no keys. Enter them in the settings.',
}

/** Advice after a test, which does not retry. */
const adviceOfTest = "Check the endpoint and this computer's internet connection, then test again."

/**
 * The meaning of a failed step, such as 'The bucket answers, but the key may not write.', and what
 * to do.
 */
export function bucketStepTexts(
  step: BucketTestStep['step'],
  kind: BucketProblem,
): Pick<ProblemWords, 'line' | 'advice'> {
  if (kind === 'unreachable') return { line: 'No answer from the endpoint.', advice: adviceOfTest }
  if (kind !== 'no_permission') return { line: lines[kind], advice: advices[kind] }
  const { may, permission } = permissions[step]
  return {
    line: `The bucket answers, but the key may not ${may}.`,
    advice: `Allow it at your provider. The permission is often called ${permission}.`,
  }
}

/**
 * The permission of each step, as AWS and most others name it (Actions for Amazon S3, AWS docs).
 */
const permissions: Record<BucketTestStep['step'], { may: string; permission: string }> = {
  put: { may: 'write', permission: 's3:PutObject' },
  read: { may: 'read', permission: 's3:GetObject' },
  head: { may: 'read', permission: 's3:GetObject' },
  delete: { may: 'delete', permission: 's3:DeleteObject' },
}

/** Clock difference, such as '20 minutes ahead of' or '3 hours behind'. */
function clockText(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60)
  return `${durationText(minutes)} ${seconds > 0 ? 'ahead of' : 'behind'}`
}

/** Duration in the largest unit with a count of at least two. */
function durationText(minutes: number): string {
  const hours = Math.round(minutes / 60)
  const days = Math.round(hours / 24)
  if (days >= 2) return `${days} days`
  if (hours >= 2) return `${hours} hours`
  return formatQuantity(minutes, 'minute')
}
