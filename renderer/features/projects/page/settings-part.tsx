import { Button, Group, Text } from '@mantine/core'
import { IconFileZip } from '@tabler/icons-react'
import type { Project } from '../../../../server/contract'
import { PicturesSection } from '../../pictures/pictures-section'
import { RetentionSection } from '../../retention/retention-section'
import { PublishersSection } from '../../trusted-publishers/publishers-section'
import { WebhooksSection } from '../../webhooks/webhooks-section'
import { downloadUrl } from '../../../paths'
import { SaveBar } from '../../../ui/save-bar'
import { projectLabels } from '../project-values'
import type { ProjectForm } from '../use-project-form'
import { useDeleteProject } from '../use-projects'
import { ProjectDetails, ProjectForPrograms } from './project-details'

interface SettingsPartProps {
  project: Project
  /** The form that the bar saves. */
  form?: ProjectForm
  formId?: string
}

const parts = {
  pictures: PicturesSection,
  webhooks: WebhooksSection,
  publishers: PublishersSection,
  retention: RetentionSection,
  api: ProjectForPrograms,
  details: ProjectDetails,
  export: ExportProject,
  delete: DeleteProject,
  bar: ProjectSaveBar,
}

/** The parts of the settings that load after the first view, together. */
export function SettingsPart({ id, ...props }: SettingsPartProps & { id: keyof typeof parts }) {
  const Part = parts[id]
  return <Part {...props} />
}

/** Names what changed in the settings, and saves or discards it. */
function ProjectSaveBar({ form, formId = '' }: SettingsPartProps) {
  return form && <SaveBar form={form} formId={formId} labels={projectLabels} />
}

function ExportProject({ project: { project_id } }: SettingsPartProps) {
  return (
    <Group justify="space-between" gap="md">
      <Text c="dimmed" flex="1 1 16rem">
        One ZIP of its files, releases, news and pictures, which another Slipway host can import.
        Without tester links, webhooks and statistics.
      </Text>
      <Button
        component="a"
        href={downloadUrl.projectExport(project_id)}
        download
        variant="default"
        leftSection={<IconFileZip size={16} />}
      >
        Export
      </Button>
    </Group>
  )
}

function DeleteProject({ project }: { project: Project }) {
  const remove = useDeleteProject()

  return (
    <Group justify="space-between" gap="md">
      <Text c="dimmed" flex="1 1 16rem">
        Deletes the page, news and statistics. Keeps the files.
      </Text>
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => remove(project)}>
        Delete project
      </Button>
    </Group>
  )
}
