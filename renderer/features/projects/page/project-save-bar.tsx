import { SaveBar } from '../../../ui/save-bar'
import type { ProjectForm } from '../use-project-form'

const labels = {
  title: 'Title',
  short_description: 'Short description',
  description: 'Description',
  project_url: 'Website',
  is_public: 'Public',
}

/** Names what changed in the settings of a project, and saves or discards it. */
export const ProjectSaveBar = ({ form, formId }: { form: ProjectForm; formId: string }) => (
  <SaveBar form={form} formId={formId} labels={labels} />
)
