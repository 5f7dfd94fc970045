import { Box, type BoxProps } from '@mantine/core'
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

/** Sections that load late, with their approximate heights. */
const lateParts: {
  id: 'pictures' | 'webhooks' | 'retention' | 'details' | 'export' | 'delete'
  title: string
  height: BoxProps['mih']
}[] = [
  { id: 'pictures', title: 'Pictures', height: { base: 640, sm: 440 } },
  { id: 'webhooks', title: 'Webhooks', height: { base: 92, sm: 36 } },
  { id: 'retention', title: 'Old releases', height: { base: 130, sm: 84 } },
  { id: 'details', title: 'Details', height: { base: 210, sm: 156 } },
  { id: 'export', title: 'Export', height: { base: 100, sm: 42 } },
  { id: 'delete', title: 'Delete this project', height: 36 },
]

/** /projects/:id/settings: edits or deletes a project; read-only without permission. */
export function ProjectSettingsPage() {
  const project = useOpenProject()
  return project.can.includes('update') ? (
    <EditProject key={project.project_id} project={project} />
  ) : (
    <>
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
    </>
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
    <Sections sections={[{ id: 'general', title: 'General' }, ...lateParts]}>
      <Section id="general" title="General">
        <FormFrame form={form} id={FORM}>
          <ProjectFields form={form} withWebsite />
        </FormFrame>
      </Section>
      {lateParts.map(({ id, title, height }) => (
        <Section key={id} id={id} title={title}>
          <Box mih={height}>
            <AfterFirstView>
              <SettingsPart id={id} project={project} />
            </AfterFirstView>
          </Box>
        </Section>
      ))}
      <AfterFirstView>
        <SettingsPart id="bar" project={project} form={form} formId={FORM} />
      </AfterFirstView>
    </Sections>
  )
}
