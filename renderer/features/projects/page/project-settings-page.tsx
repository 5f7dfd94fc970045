import { Box, type BoxProps } from '@mantine/core'
import { Suspense, type PropsWithChildren } from 'react'
import type { Project } from '../../../../server/contract'
import { AfterFirstView } from '../../../lib/browser/after-first-view'
import { lazyPage } from '../../../lib/browser/lazy-page'
import { useOpenProject } from '../../../lib/host/open-project'
import { FormFrame } from '../../../ui/form-frame'
import { Section, Sections } from '../../../ui/layout/sections'
import { ProjectFields } from '../project-fields'
import { toFormValues } from '../project-values'
import { useProjectForm } from '../use-project-form'
import { useUpdateProject } from '../use-projects'

const DeleteProject = lazyPage(() => import('./delete-project'), 'DeleteProject')
const ProjectDetails = lazyPage(() => import('./project-details'), 'ProjectDetails')
const ProjectSaveBar = lazyPage(() => import('./project-save-bar'), 'ProjectSaveBar')
const PicturesSection = lazyPage(() => import('../../pictures/pictures-section'), 'PicturesSection')

const FORM = 'project-settings'
/** /projects/:id/settings: edits or deletes a project; read-only without permission. */
export function ProjectSettingsPage() {
  const project = useOpenProject()
  return project.can.includes('update') ? (
    <EditProject key={project.project_id} project={project} />
  ) : (
    <Section id="details" title="Details">
      <Suspense>
        <ProjectDetails project={project} />
      </Suspense>
    </Section>
  )
}

function EditProject({ project }: { project: Project }) {
  const form = useProjectForm({
    draft: `project.${project.project_id}`,
    saved: toFormValues(project),
    failed: 'Failed to update project',
    send: useUpdateProject(project.project_id),
  })
  const general = (
    <FormFrame form={form} id={FORM}>
      <ProjectFields form={form} withWebsite />
    </FormFrame>
  )
  const pictures = (
    <Later height={{ base: 640, sm: 440 }}>
      <PicturesSection project={project} />
    </Later>
  )
  const details = (
    <Later height={{ base: 320, sm: 190 }}>
      <ProjectDetails project={project} />
    </Later>
  )
  const deletion = (
    <Later height={36}>
      <DeleteProject project={project} />
    </Later>
  )
  const sections = [
    { id: 'general', title: 'General', content: general },
    { id: 'pictures', title: 'Pictures', content: pictures },
    { id: 'details', title: 'Details', content: details },
    { id: 'delete', title: 'Delete this project', content: deletion },
  ]
  return (
    <Sections sections={sections}>
      {sections.map(({ id, title, content }) => (
        <Section key={id} id={id} title={title}>
          {content}
        </Section>
      ))}
      <AfterFirstView>
        <ProjectSaveBar form={form} formId={FORM} />
      </AfterFirstView>
    </Sections>
  )
}

/** Leaves about the height that a part will have. */
const Later = ({ height, children }: PropsWithChildren<{ height: BoxProps['mih'] }>) => (
  <Box mih={height}>
    <AfterFirstView>{children}</AfterFirstView>
  </Box>
)
