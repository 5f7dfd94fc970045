import { Button, Card, Divider, Group, Stack, Text, Title } from '@mantine/core'
import type { Project } from '../../../../server/contract'
import { useOpenProject } from '../../../lib/host/open-project'
import { PicturesSection } from '../../pictures/pictures-section'
import { ProjectDetails } from './project-details'
import { ProjectFields } from '../project-fields'
import { toFormValues } from '../project-values'
import { useProjectForm } from '../use-project-form'
import { useDeleteProject, useUpdateProject } from '../use-projects'
import { FormFrame } from '../../../ui/form-frame'

/** /projects/:id/settings: edits or deletes a project; read-only without permission. */
export function ProjectSettingsPage() {
  const project = useOpenProject()
  return (
    <Stack gap="lg" maw={760}>
      {project.can.includes('update') && <EditProject key={project.project_id} project={project} />}
      {project.can.includes('update') && <PicturesSection project={project} />}
      <ProjectDetails project={project} />
      {project.can.includes('delete') && <DeleteProject project={project} />}
    </Stack>
  )
}

function EditProject({ project }: { project: Project }) {
  const form = useProjectForm({
    draft: `project.${project.project_id}`,
    saved: toFormValues(project),
    failed: 'Failed to update project',
    send: useUpdateProject(project.project_id),
  })
  return (
    <Card component="section" aria-label="Edit project">
      <FormFrame form={form} submit="Save changes" hasChanges={form.isChanged}>
        <ProjectFields form={form} withWebsite />
        <Divider />
      </FormFrame>
    </Card>
  )
}

function DeleteProject({ project }: { project: Project }) {
  const remove = useDeleteProject()
  return (
    <Card component="section">
      <Group justify="space-between" gap="md">
        <Stack gap={4} flex="1 1 16rem">
          <Title order={2} size="h3">
            Delete this project
          </Title>
          <Text c="dimmed">Its page, its updates and its numbers go. Its files will not be deleted.</Text>
        </Stack>
        <Button variant="default" c="var(--mantine-color-error)" onClick={() => remove(project)}>
          Delete project
        </Button>
      </Group>
    </Card>
  )
}
