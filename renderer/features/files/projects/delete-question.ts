import type { File } from '../../../../server/contract'
import { formatFiles, formatShortQuantity } from '../../../lib/texts/format'
import { messages } from '../../../lib/texts/messages'

/** The question before a file is deleted, and what its projects then lack. */
export function askAboutFile({ projects, downloads, is_public }: File): string {
  if (projects.length === 0) return messages.file.confirmDelete
  const places = projects
    .map(({ title, version }) => (version === null ? title : `${title} ${version}`))
    .join(', ')
  const count = formatShortQuantity(downloads, 'download')
  const loss = is_public ? ' Visitors can no longer download it.' : ''
  return `${messages.file.confirmDelete} It is in ${places} (${count}).${loss}`
}

/** The same for several files; `names`: the first of them. */
export function askAboutFiles(files: readonly File[], names: string): string {
  const used = files.filter(({ projects }) => projects.length > 0).length
  const places = used === 0 ? '' : ` ${used} of them ${used === 1 ? 'is' : 'are'} in projects.`
  return `Are you sure you want to delete these ${formatFiles(files.length)}? ${names}${places}`
}
