import type { ProjectRecord } from '../../data/records/project-records'

/** A saved change of a project. Listeners must not throw. */
export interface ProjectEvent {
  /** File linked, collaborator added, collaborator removed, update posted, or page changed. */
  kind: 'file' | 'person' | 'removal' | 'update' | 'page'
  project: ProjectRecord
  userId: string
  /** Id of the file, or of the added or removed account; else null. */
  subjectId: string | null
}
