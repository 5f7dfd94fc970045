import { failureText } from '../../lib/failure'
import { formatSize } from '../../lib/format'
import { messages } from '../../lib/messages'
import { timeLeft } from './transfer-rate'
import type { Upload } from './upload-queue'

/** What an upload is doing, in one line. */
export function uploadStatus({ state, sent, file, rate, options }: Upload): string {
  if (state === 'waiting') return `Waiting · ${formatSize(file.size)}`
  if (state === 'checking') return 'Sent. The host is checking and storing it…'
  if (state === 'linking') return `Adding to ${options.project?.title ?? 'the project'}…`
  if (state === 'done') return 'Uploaded'
  const parts = [`${formatSize(sent)} of ${formatSize(file.size)}`]
  if (rate !== undefined) parts.push(`${formatSize(Math.round(rate))}/s`, timeLeft(file.size - sent, rate))
  return parts.join(' · ')
}

/** What went wrong, and why, in the words of the host where it has said something. */
export function uploadError({ state, error }: Upload): { text: string; reason?: string } {
  const failed = messages.file.uploadFailed
  const reason = error ? failureText(error, { failed, unreachable: error.message }) : failed
  return state === 'unlinked' ? { text: messages.file.uploadedNotLinked, reason } : { text: reason }
}
