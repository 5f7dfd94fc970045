import { randomBytes } from 'node:crypto'

/** The most unused choices. The oldest are evicted. */
const MAX_CHOICES = 20

/**
 * Folders that a person chose in the system's dialog. Pages get an unguessable token for each, so
 * that an injected script cannot name a folder.
 */
export class ChosenFolders {
  readonly #paths = new Map<string, string>()

  /** Returns the token of a folder, valid for this run. */
  offer(path: string): string {
    const name = randomBytes(32).toString('base64url')
    this.#paths.set(name, path)
    for (const oldest of [...this.#paths.keys()].slice(0, -MAX_CHOICES)) this.#paths.delete(oldest)
    return name
  }

  /** Returns the path of an unused choice. */
  find(name: string): string | undefined {
    return this.#paths.get(name)
  }

  use(name: string): void {
    this.#paths.delete(name)
  }
}
