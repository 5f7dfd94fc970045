import type { MirrorTestStep, MirrorView } from '../../../server/contract/host/bucket'
import { mirrorProblemWords, mirrorTroubles } from '../../../server/texts/bucket-texts'
import { inMegabytes } from '../../lib/forms/megabytes'
import { formatClock, formatWhole } from '../../lib/texts/format'

export const mirrorWords = {
  about: (least: number) =>
    `Slipway copies every public build of at least ${inMegabytes(least)} MB to your bucket and sends visitors outside your network there; you pay the bill of the bucket.`,
  overridden: 'Set by --mirror-config. To change it, edit that file and restart Slipway.',
  savedKey: 'Saved; enter to replace',
  saveFailed: 'Failed to save the bucket',
  testFailed: 'Failed to test the bucket',
  checkFailed: 'Failed to check the copies',
  switchOffFailed: 'Failed to switch off downloads from the bucket',
  estimated: 'A download counts when it is handed to the bucket, even if the visitor stops it.',
  deleteCopies: 'Slipway deletes them now. A visitor who was just sent to the bucket has to start the download again.',
  deleteNeedsKeys: 'Slipway cannot delete them without the keys. Enter the keys first.',
  keepCopies:
    'They stay in the bucket and on its bill, even if you delete a file here. To delete them later, use the page of your provider.',
}

/** The steps of the test, in order. */
export const testSteps: Record<MirrorTestStep['step'], string> = {
  put: 'Write a test object',
  read: 'Download it by a temporary address',
  head: 'Check its size and checksum',
  delete: 'Delete it',
}

/** The state in one sentence. */
export function stateLine(view: MirrorView): string {
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
export function problemOf({ problem }: MirrorView) {
  if (problem === null) return undefined
  const { line, effect, advice } = mirrorProblemWords(problem, formatClock)
  return { line, effect, advice: `${advice}${quoted(problem.detail)}` }
}

export const quoted = (detail: string | null): string => (detail === null ? '' : ` The error was: “${detail}”.`)

export const counted = (copies: number): string => (copies === 1 ? '1 copy' : `${formatWhole(copies)} copies`)

export const troubleText = ({ filename, trouble }: MirrorView['troubled'][number]): string =>
  `${filename}: ${mirrorTroubles[trouble]}`
