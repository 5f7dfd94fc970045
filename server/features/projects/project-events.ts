import type { ProjectRecord } from '../../data/records/project-records'

/** A saved change of a project. Listeners must not throw. */
export interface ProjectEvent {
  /**
   * File linked, collaborator added, collaborator removed, owner changed, update posted, or page
   * changed.
   */
  kind: 'file' | 'person' | 'removal' | 'owner' | 'update' | 'page'
  project: ProjectRecord
  userId: string
  /** Id of the file, of the added or removed account, or of the new owner; else null. */
  subjectId: string | null
}
