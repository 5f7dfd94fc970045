import type { ProjectRecord } from '../../data/records/project-records'

/** A saved change of a project. */
export interface ProjectEvent {
  /** File linked, collaborator added, collaborator removed, update posted, or page changed. */
  kind: 'file' | 'person' | 'removal' | 'update' | 'page'
  /** After the change. */
  project: ProjectRecord
  userId: string
  /** The file, or the added or removed account; else null. */
  subjectId: string | null
}

/** Publishes changes of projects to listeners. */
export class ProjectEvents {
  readonly #listeners = new Set<(event: ProjectEvent) => void>()

  /** Calls back for each event; the listener must not throw. Returns a function that unsubscribes. */
  onEvent(listener: (event: ProjectEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Call it once the change is on disk. */
  tell(event: ProjectEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}
