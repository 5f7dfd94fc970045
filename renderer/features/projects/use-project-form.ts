import { useApiForm } from '../../lib/forms/use-api-form'
import type { ProjectFields, ProjectValues } from './project-values'

const blank: ProjectValues = {
  title: '',
  short_description: '',
  description: '',
  is_public: false,
  project_url: '',
}

interface ProjectFormOptions {
  draft: string
  saved?: ProjectValues
  failed: string
  send: (fields: ProjectFields) => Promise<void> | Promise<ProjectValues>
}

export type ProjectForm = ReturnType<typeof useProjectForm>

export const useProjectForm = ({ saved = blank, ...options }: ProjectFormOptions) =>
  useApiForm({
    ...options,
    saved,
    schema: async () => (await import('../../../server/contract')).projectFieldsSchema,
  })
