import { VisuallyHidden } from '@mantine/core'
import { hasWarnings, isTransferring, isUnfinished, type Upload } from '../upload'
import { totalsOf, warnedText } from '../queue/upload-totals'

export function UploadAnnouncer({ uploads }: { uploads: readonly Upload[] }) {
  return <VisuallyHidden role="status">{announcement(uploads)}</VisuallyHidden>
}

/** Changes only when there is something to say, because screen readers read each change. */
export function announcement(uploads: readonly Upload[]): string {
  if (!uploads.some(isUnfinished)) return warningsIn(uploads)

  const { isPaused, share, position, files } = totalsOf(uploads)
  const current = uploads.find(isTransferring)
  if (isPaused) return files === 1 ? 'Upload paused' : 'Uploads paused'
  if (!current) return ''

  const { name } = current.file
  if (current.state === 'interrupted')
    return `Connection lost. The upload of ${name} resumes automatically.`
  if (current.state === 'checking') return `Verifying ${name}`

  const quarter = Math.floor(share * 4) * 25
  const place = files === 1 ? '' : `, ${position} of ${files}`
  return `Uploading ${name}${place}${quarter > 0 ? `, ${quarter} percent of all` : ''}`
}

/** The announcement of the host's warnings about new builds. */
function warningsIn(uploads: readonly Upload[]): string {
  const [first, ...others] = uploads.filter(hasWarnings)
  if (!first) return ''
  if (others.length > 0) return `${warnedText(uploads)}. The list of uploads shows them.`
  return (
    `Warning for ${first.file.name}: ` +
    (first.warnings ?? []).map(({ message }) => message).join(' ')
  )
}
