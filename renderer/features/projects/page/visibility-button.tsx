import { Badge } from '@mantine/core'
import { IconLock, IconSelector, IconWorld } from '@tabler/icons-react'
import type { Project } from '../../../../server/contract'
import { loadPart } from '../../../lib/browser/load-part'
import { queryKeys } from '../../../lib/client/query-keys'
import { useCall } from '../../../lib/client/use-call'
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
      aria-label={
        is_public ? 'Public: make this project private' : 'Private: make this project public'
      }
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
    (client, { project_id, is_public }: Project) =>
      client.projects.update({ id: project_id, is_public: !is_public }),
    {
      ask: async (project) =>
        (await loadPart(() => import('../ask-visibility'))).askVisibility(project),
      done: 'Project updated successfully!',
      failed: 'Failed to update project',
      refresh: [queryKeys.projects.all],
    },
  )
