import { Button, Group, Text } from '@mantine/core'
import type { Project } from '../../../../server/contract'
import { PicturesSection } from '../../pictures/pictures-section'
import { WebhooksSection } from '../../webhooks/webhooks-section'
import { useDeleteProject } from '../use-projects'
import { ProjectDetails } from './project-details'

const parts = { pictures: PicturesSection, webhooks: WebhooksSection, details: ProjectDetails, delete: DeleteProject }

/** The parts of the settings that load after the first view, together. */
export function SettingsPart({ id, project }: { id: keyof typeof parts; project: Project }) {
  const Part = parts[id]
  return <Part project={project} />
}

function DeleteProject({ project }: { project: Project }) {
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
