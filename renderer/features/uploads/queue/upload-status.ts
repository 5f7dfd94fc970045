import { factsLine } from '../../../../server/texts/files/facts-line'
import { failureText } from '../../../lib/client/failure'
import { formatSize } from '../../../lib/texts/format'
import { messages } from '../../../lib/texts/messages'
import { timeLeft } from '../transport/transfer-rate'
import type { Upload } from '../upload'

export function uploadStatus({
  state,
  sent,
  file,
  rate,
  options,
  stored,
  error,
  isInPlace,
}: Upload): string {
  const soFar = formatSize(sent)
  const whole = formatSize(file.size)
  if (state === 'waiting') return sent > 0 ? `Waiting · ${soFar} of ${whole}` : `Waiting · ${whole}`
  if (state === 'checking') return 'Verifying: the host is checking and storing it…'
  if (state === 'ready') return whole
  if (state === 'linking') return `Adding to ${options.project?.title ?? 'the project'}…`
  if (state === 'done')
    return ['Uploaded', stored?.facts ? factsLine(stored.facts) : ''].filter(Boolean).join(' · ')
  if (state === 'paused')
    return error ? 'Paused: sign in again to resume' : `Paused · ${soFar} of ${whole}`
  if (state === 'interrupted')
    return `The host is unreachable. The upload resumes automatically · ${soFar} of ${whole}`

  const parts = [isInPlace ? `Copying · ${soFar} of ${whole}` : `${soFar} of ${whole}`]
  if (rate !== undefined)
    parts.push(`${formatSize(Math.round(rate))}/s`, timeLeft(file.size - sent, rate))

  return parts.join(' · ')
}

export function uploadError({ state, error, options }: Upload): { text: string; reason?: string } {
  const failed = messages.file.uploadFailed
  const reason = error ? failureText(error, { failed, unreachable: error.message }) : failed
  if (error?.code === 'build_mismatch')
    return {
      text: 'Not published: this upload was started to accept no build with warnings.',
      reason,
    }
  if (state !== 'unlinked') return { text: reason }

  const missed = options.project
    ? 'File uploaded, but failed to add to project'
    : 'File uploaded, but it is still private'

  return { text: missed, reason }
}
