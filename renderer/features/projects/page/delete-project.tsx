import { Button, Group, Text } from '@mantine/core'
import type { Project } from '../../../../server/contract'
import { useDeleteProject } from '../use-projects'

export function DeleteProject({ project }: { project: Project }) {
  const remove = useDeleteProject()
  return (
    <Group justify="space-between" gap="md">
      <Text c="dimmed" flex="1 1 16rem">
        Deletes the page, updates and statistics. Keeps the files.
      </Text>
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => remove(project)}>
        Delete project
      </Button>
    </Group>
  )
}
