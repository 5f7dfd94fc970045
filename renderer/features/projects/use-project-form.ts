import type { z } from 'zod'
import { projectFieldsSchema, type Project } from '../../../server/contract'
import { useApiForm } from '../../lib/forms/use-api-form'

export type ProjectValues = {
  title: string
  short_description: string
  description: string
  is_public: boolean
  project_url: string
}

const blank: ProjectValues = { title: '', short_description: '', description: '', is_public: false, project_url: '' }

export const toFormValues = ({
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

export type ProjectFields = z.output<typeof projectFieldsSchema>

interface ProjectFormOptions {
  draft: string
  saved?: ProjectValues
  failed: string
  send: (fields: ProjectFields) => Promise<void> | Promise<ProjectValues>
}

export type ProjectForm = ReturnType<typeof useProjectForm>

export const useProjectForm = ({ saved = blank, ...options }: ProjectFormOptions) =>
  useApiForm({ ...options, saved, schema: projectFieldsSchema })
