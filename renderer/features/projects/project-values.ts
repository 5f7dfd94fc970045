import type { z } from 'zod'
import type { Project, projectFieldsSchema } from '../../../server/contract'

/** The form of a new project. */
export const blank = {
  title: '',
  short_description: '',
  description: '',
  is_public: false,
  project_url: '',
}
export type ProjectValues = typeof blank

/** Labels of the fields. */
export const projectLabels: Record<keyof ProjectValues, string> = {
  title: 'Title',
  short_description: 'Short description',
  description: 'Description',
  project_url: 'Website',
  is_public: 'Public',
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
