import type { z } from 'zod'
import type { Project, projectFieldsSchema } from '../../../server/contract'

export type ProjectValues = {
  title: string
  short_description: string
  description: string
  is_public: boolean
  project_url: string
}

export type ProjectFields = z.output<typeof projectFieldsSchema>

/**
 * The form values of a project. In this file because lists need it without the rules of the form.
 */
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
