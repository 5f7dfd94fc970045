import type { ProjectRecord } from '../../data/records/project-records'

/** A saved change of a project. Listeners must not throw. */
export interface ProjectEvent {
  /** File linked, collaborator added, collaborator removed, update posted, or page changed. */
  kind: 'file' | 'person' | 'removal' | 'update' | 'page'
  /** After the change. */
  project: ProjectRecord
  userId: string
  /** The file, or the added or removed account; else null. */
  subjectId: string | null
}
