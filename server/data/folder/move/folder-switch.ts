import { HERE, pointerIn, type Pointer } from '../pointer'
import type { Progress } from './folder-copy'

/**
 * A change to another data folder: prepared while the host runs, and completed after it has closed
 * by replacing the pointer. Until then the present folder stays in use, also after a crash.
 */
export abstract class FolderSwitch {
  protected readonly ending = new AbortController()

  protected constructor(protected readonly homeDir: string) {}

  /** The new folder. */
  abstract readonly to: string
  /** Begins the sentence about a failure. */
  abstract readonly failed: string
  abstract get progress(): Readonly<Progress>

  /** Throws if it fails or is cancelled; `abandon` then cleans up. */
  abstract prepare(): Promise<void>

  /** Switches. Close the host first. */
  abstract complete(): Promise<void>

  /** Cleans up. `failure`: for the next start; null if the person cancelled. */
  abstract abandon(failure: string | null): Promise<void>

  get isCancelled(): boolean {
    return this.ending.signal.aborted
  }

  cancel(): void {
    this.ending.abort(new Error('The change was cancelled'))
  }

  /** Waits for `done`; throws as soon as it is cancelled. */
  async cancelledUnless(done: Promise<void>): Promise<void> {
    const { signal } = this.ending
    const cancelled = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    )
    await Promise.race([done, cancelled])
    signal.throwIfAborted()
  }

  /** Changes the pointer in a folder. */
  protected async tell(
    change: (pointer: Pointer) => Pointer,
    folder = this.homeDir,
  ): Promise<void> {
    const file = pointerIn(folder)
    await file.write(change((await file.read()) ?? HERE))
  }
}
