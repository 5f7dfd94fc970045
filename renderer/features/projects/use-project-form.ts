import { projectFieldsSchema, type Project } from '../../../server/contract'
import { useDraftForm } from '../../lib/forms/use-draft-form'

export type ProjectValues = {
  title: string
  short_description: string
  description: string
  is_public: boolean
  project_url: string
}

const blank: ProjectValues = { title: '', short_description: '', description: '', is_public: false, project_url: '' }

export const valuesOf = ({
  title,
  short_description,
  description,
  is_public,
  project_url,
}: Project): ProjectValues => ({
  title,
  short_description,
  description,
  is_public,
  project_url: project_url ?? '',
})

interface ProjectFormOptions {
  draft: string
  saved?: ProjectValues
  failed: string
  send: (values: ProjectValues) => Promise<unknown>
}

export type ProjectForm = ReturnType<typeof useProjectForm>

export const useProjectForm = ({ saved = blank, ...options }: ProjectFormOptions) =>
  useDraftForm<ProjectValues>({
    ...options,
    saved,
    schema: projectFieldsSchema,
    clean: (values) => ({ ...projectFieldsSchema.parse(values), project_url: values.project_url.trim() }),
  })
