import { Text } from '@mantine/core'
import type { Project } from '../../../../server/contract'

/** Tells a maintainer whose the files are that they add. */
export function HandedOver({ project }: { project: Project | undefined }) {
  if (project?.role !== 'maintainer') return null
  return (
    <Text size="xs" c="dimmed">
      Files that you add belong to {project.owner} and use their storage.
    </Text>
  )
}
