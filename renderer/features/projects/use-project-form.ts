import { useApiForm } from '../../lib/forms/use-api-form'
import { blank, type ProjectFields, type ProjectValues } from './project-values'

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
