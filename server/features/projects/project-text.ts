import type { z } from 'zod'
import type { projectFieldsSchema } from '../../contract'
import type { ProjectRecord } from '../../data/records/project-records'

type Fields = z.output<typeof projectFieldsSchema>

/** The fields of a project that its owner writes, as the API names them. */
export const presentText = (project: ProjectRecord) => ({
  title: project.title,
  short_description: project.shortDescription,
  description: project.description,
  is_public: project.isPublic,
  project_url: project.projectUrl,
})

/** The same as a record has them. Fields that are left out keep their value, or stay blank. */
export const readText = (
  changes: { [Name in keyof Fields]?: Fields[Name] | undefined },
  old?: ProjectRecord,
) => ({
  title: changes.title ?? old?.title ?? '',
  shortDescription: changes.short_description ?? old?.shortDescription ?? '',
  description: changes.description ?? old?.description ?? '',
  isPublic: changes.is_public ?? old?.isPublic ?? false,
  projectUrl: (changes.project_url === undefined ? old?.projectUrl : changes.project_url) || null,
})
export type ProjectText = ReturnType<typeof readText>
