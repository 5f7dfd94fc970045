import { randomBytes } from 'node:crypto'

/** So many choices are kept; whoever chooses more folders without using them loses the first ones. */
const MAX_CHOICES = 20

/**
 * Folders that the person at this machine has chosen in the system's dialog. The page gets a name for each that nobody
 * can guess, and cannot make one up: a script that has crept into it chooses no folder by itself.
 */
export class ChosenFolders {
  readonly #paths = new Map<string, string>()

  /** Answers the name under which this run knows the folder. */
  offer(path: string): string {
    const name = randomBytes(32).toString('base64url')
    this.#paths.set(name, path)
    for (const oldest of [...this.#paths.keys()].slice(0, -MAX_CHOICES)) this.#paths.delete(oldest)
    return name
  }

  /** The path of a choice; undefined: it was used before, or there was none. */
  find(name: string): string | undefined {
    return this.#paths.get(name)
  }

  /** The choice was used; it is not good for another time. */
  use(name: string): void {
    this.#paths.delete(name)
  }
}
