import { Box } from '@mantine/core'
import { Suspense } from 'react'
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
const SaveBar = lazyPage(() => import('../../../ui/save-bar'), 'SaveBar')
const PicturesSection = lazyPage(() => import('../../pictures/pictures-section'), 'PicturesSection')

const FORM = 'project-settings'
const labels = {
  title: 'Title',
  short_description: 'Short description',
  description: 'Description',
  project_url: 'Website',
  is_public: 'Public',
}

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
  const sections = [
    { id: 'general', title: 'General', content: general },
    { id: 'pictures', title: 'Pictures', content: <Pictures project={project} /> },
    { id: 'details', title: 'Details', content: <Details project={project} /> },
    ...(project.can.includes('delete')
      ? [{ id: 'delete', title: 'Delete this project', content: <Deletion project={project} /> }]
      : []),
  ]
  return (
    <Sections sections={sections}>
      {sections.map(({ id, title, content }) => (
        <Section key={id} id={id} title={title}>
          {content}
        </Section>
      ))}
      <AfterFirstView>
        <SaveBar form={form} formId={FORM} labels={labels} />
      </AfterFirstView>
    </Sections>
  )
}

/** About as high as it will be. */
const Pictures = ({ project }: { project: Project }) => (
  <Box mih={{ base: 640, sm: 440 }}>
    <AfterFirstView>
      <PicturesSection project={project} />
    </AfterFirstView>
  </Box>
)

const Details = ({ project }: { project: Project }) => (
  <Box mih={{ base: 320, sm: 190 }}>
    <AfterFirstView>
      <ProjectDetails project={project} />
    </AfterFirstView>
  </Box>
)

const Deletion = ({ project }: { project: Project }) => (
  <Box mih={36}>
    <AfterFirstView>
      <DeleteProject project={project} />
    </AfterFirstView>
  </Box>
)
