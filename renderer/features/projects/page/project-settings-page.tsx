import { Box, Stack, Title, type BoxProps } from '@mantine/core'
import type { Project } from '../../../../server/contract'
import { AfterFirstView } from '../../../lib/browser/after-first-view'
import { lazyPage } from '../../../lib/browser/lazy-page'
import { useScrollToHash } from '../../../lib/hooks/use-scroll-to-hash'
import { useOpenProject } from '../../../lib/host/open-project'
import { FormFrame } from '../../../ui/form-frame'
import { Section, Sections } from '../../../ui/layout/sections'
import { ProjectFields } from '../project-fields'
import { toFormValues } from '../project-values'
import { useProjectForm } from '../use-project-form'
import { useUpdateProject } from '../use-projects'

const SettingsPart = lazyPage(() => import('./settings-part'), 'SettingsPart')

const FORM = 'project-settings'

interface LatePart {
  id: 'pictures' | 'webhooks' | 'publishers' | 'retention' | 'api' | 'details' | 'export' | 'delete'
  title: string
  height: BoxProps['mih']
}

/** Parts that load late, with their approximate heights. */
const pictures: LatePart = { id: 'pictures', title: 'Pictures', height: { base: 640, sm: 440 } }
const automation: LatePart[] = [
  { id: 'webhooks', title: 'Webhooks', height: { base: 92, sm: 36 } },
  { id: 'publishers', title: 'Trusted publishers', height: { base: 92, sm: 36 } },
  { id: 'retention', title: 'Old releases', height: { base: 130, sm: 84 } },
  { id: 'api', title: 'API', height: { base: 70, sm: 62 } },
]
const lastParts: LatePart[] = [
  { id: 'details', title: 'Details', height: { base: 210, sm: 156 } },
  { id: 'export', title: 'Export', height: { base: 100, sm: 42 } },
  { id: 'delete', title: 'Delete this project', height: 36 },
]

const sections = [
  { id: 'general', title: 'General' },
  pictures,
  { id: 'automation', title: 'Automation' },
  ...lastParts,
]

/** /projects/:id/settings: edits or deletes a project; read-only without permission. */
export function ProjectSettingsPage() {
  const project = useOpenProject()
  return project.can.includes('update') ? (
    <EditProject key={project.project_id} project={project} />
  ) : (
    <Stack gap="lg">
      <Section id="details" title="Details">
        <AfterFirstView isNeeded>
          <SettingsPart id="details" project={project} />
        </AfterFirstView>
      </Section>
      {project.role && (
        <Section id="export" title="Export">
          <AfterFirstView isNeeded>
            <SettingsPart id="export" project={project} />
          </AfterFirstView>
        </Section>
      )}
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
  useScrollToHash()

  return (
    <Sections sections={sections}>
      <Section id="general" title="General">
        <FormFrame form={form} id={FORM}>
          <ProjectFields form={form} />
        </FormFrame>
      </Section>
      <LateSection {...pictures} project={project} />
      <Section id="automation" title="Automation">
        {automation.map(({ id, title, height }) => (
          <Stack key={id} component="section" id={id} aria-label={title} gap="xs">
            <Title order={3} size="h4">
              {title}
            </Title>
            <LatePartContent id={id} height={height} project={project} />
          </Stack>
        ))}
      </Section>
      {lastParts.map((part) => (
        <LateSection key={part.id} {...part} project={project} />
      ))}
      <AfterFirstView>
        <SettingsPart id="bar" project={project} form={form} formId={FORM} />
      </AfterFirstView>
    </Sections>
  )
}

const LateSection = ({ id, title, ...part }: LatePart & { project: Project }) => (
  <Section id={id} title={title}>
    <LatePartContent id={id} {...part} />
  </Section>
)

const LatePartContent = ({
  id,
  height,
  project,
}: Omit<LatePart, 'title'> & { project: Project }) => (
  <Box mih={height}>
    <AfterFirstView>
      <SettingsPart id={id} project={project} />
    </AfterFirstView>
  </Box>
)
