import type { ProjectRecord } from './project-store'

/** What a person has done on a project. It is kept already. */
export interface ProjectEvent {
  /** Offered a file, let somebody work on it or no longer, posted an update, or changed what its page says. */
  kind: 'file' | 'person' | 'removal' | 'update' | 'page'
  /** As it is since then. */
  project: ProjectRecord
  /** Who did it. */
  userId: string
  /** The file, or the account that was let in or removed; else null. */
  subjectId: string | null
}

/** Tells what people do on projects, for whoever wants to hear of it at once. */
export class ProjectEvents {
  readonly #listeners = new Set<(event: ProjectEvent) => void>()

  /** Calls back for each from now on; the listener must not throw. Answers how to end that. */
  onEvent(listener: (event: ProjectEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Call it once the change is on disk. */
  tell(event: ProjectEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}
