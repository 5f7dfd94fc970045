import { Badge } from '@mantine/core'
import { IconLock, IconSelector, IconWorld } from '@tabler/icons-react'
import type { Project } from '../../../../server/contract'
import { countOf } from '../../../lib/client/each-file'
import { queryKeys } from '../../../lib/client/query-keys'
import { useCall } from '../../../lib/client/use-call'
import { confirm } from '../../../ui/dialog/confirm'
import classes from './visibility-button.module.css'

/** The badge of a project's visibility as the button that changes it. */
export function VisibilityButton({ project }: { project: Project }) {
  const { is_public } = project
  const { mutate, isPending } = useChangeVisibility()
  const Picture = is_public ? IconWorld : IconLock
  return (
    <Badge
      component="button"
      type="button"
      size="lg"
      color={is_public ? 'quay' : 'gray'}
      className={classes.button}
      leftSection={<Picture size={14} aria-hidden />}
      rightSection={<IconSelector size={14} aria-hidden />}
      aria-label={is_public ? 'Public: make this project private' : 'Private: make this project public'}
      aria-haspopup="dialog"
      onClick={() => {
        if (!isPending) mutate(project)
      }}
    >
      {is_public ? 'Public' : 'Private'}
    </Badge>
  )
}

const useChangeVisibility = () =>
  useCall(
    (client, { project_id, is_public }: Project) => client.projects.update({ id: project_id, is_public: !is_public }),
    {
      ask: (project) =>
        confirm({
          title: `Make ${project.title} ${project.is_public ? 'private' : 'public'}`,
          message: project.is_public
            ? 'Visitors then see “not found”. Collaborators still see it.'
            : whatIsSeen(project),
          confirmLabel: project.is_public ? 'Make private' : 'Make public',
        }),
      done: 'Project updated successfully!',
      failed: 'Failed to update project',
      refresh: [queryKeys.projects.all],
    },
  )

function whatIsSeen({ downloads }: Project): string {
  const privateCount = downloads.filter(({ is_public }) => !is_public).length
  const page = 'Anyone who can reach this host can then see its page.'
  if (privateCount === 0) return page
  return `${page} ${countOf(privateCount)} stay${privateCount === 1 ? 's' : ''} private: visitors do not see ${privateCount === 1 ? 'it' : 'them'}.`
}
