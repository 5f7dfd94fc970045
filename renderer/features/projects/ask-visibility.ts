import type { Project } from '../../../server/contract'
import { formatFiles } from '../../lib/texts/format'
import { confirm } from '../../ui/dialog/confirm'

/** Asks whether to make a private project public, or a public one private. */
export const askVisibility = (project: Project): Promise<boolean> =>
  confirm({
    title: `Make ${project.title} ${project.is_public ? 'private' : 'public'}`,
    message: project.is_public
      ? 'Visitors then see “not found”. Collaborators still see it.'
      : whatIsSeen(project),
    confirmLabel: project.is_public ? 'Make private' : 'Make public',
  })

function whatIsSeen({ downloads }: Project): string {
  const privateCount = downloads.filter(({ is_public }) => !is_public).length
  const page = 'Anyone who can reach this host can then see its page.'
  if (privateCount === 0) return page
  return (
    `${page} ${formatFiles(privateCount)} stay${privateCount === 1 ? 's' : ''} private: ` +
    `visitors do not see ${privateCount === 1 ? 'it' : 'them'}.`
  )
}
