import { randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { verify } from '../../repair/verify'
import { lockDataDir } from '../lock/lock'
import { FolderCopy, type Progress } from './folder-copy'
import { copyMarkIn, markHalf, removeHalf } from './half-copy'
import { HERE, pointerIn, type Pointer } from '../pointer'
import type { Plan } from './target'

/** The source and target of a move. */
export interface Route {
  homeDir: string
  from: string
  plan: Pick<Plan, 'to' | 'shares'>
}

/**
 * Moves a data folder. The old one is only read; renaming one small file at the very end activates
 * the new one. If the move ends before that, even by a crash, the old folder stays in use and the
 * next start removes the partial copy.
 */
export class FolderMove {
  readonly #token = randomBytes(12).toString('hex')
  readonly #ending = new AbortController()
  readonly #copy: FolderCopy

  constructor(
    private readonly route: Route,
    onProgress: () => void = () => undefined,
  ) {
    const { from, plan } = route

    this.#copy = new FolderCopy({
      from,
      to: plan.to,
      shares: plan.shares,
      signal: this.#ending.signal,
      onProgress,
    })
  }

  get progress(): Readonly<Progress> {
    return this.#copy.progress
  }

  get to(): string {
    return this.route.plan.to
  }

  get isCancelled(): boolean {
    return this.#ending.signal.aborted
  }

  /**
   * Copies large files while the host runs. Throws if it fails or is cancelled; `abandon` then
   * cleans up.
   */
  async prepare(): Promise<void> {
    const { homeDir, plan } = this.route
    const moving = { to: plan.to, token: this.#token }
    await this.#tell((pointer) => ({ ...pointer, moving, news: null }), homeDir)
    await markHalf(plan.to, this.#token)
    await this.#copy.takeBytes()
  }

  /**
   * Copies the remaining files, verifies that both folders match, and switches. Close the host
   * first.
   */
  async complete(): Promise<void> {
    const { from, homeDir, plan } = this.route
    const lock = await lockDataDir(from)
    try {
      await this.#copy.takeRest()
      await requireSame(from, plan.to)
      this.#ending.signal.throwIfAborted()

      const news =
        `The data is now in ${plan.to}. The old folder ${from} is still there until you delete ` +
        'it, under Host, Data.'
      const path = plan.to === (await realpath(homeDir)) ? null : plan.to
      await this.#tell(() => ({ path, moving: null, old: from, news }), homeDir)
    } finally {
      await lock.release()
    }

    // The new folder is in use now; the next start finishes what fails here.
    if (from !== homeDir)
      await this.#tell(() => ({ ...HERE, path: plan.to }), from).catch(() => undefined)
    await copyMarkIn(plan.to)
      .remove()
      .catch(() => undefined)
  }

  /** Waits for `done`; throws as soon as the move is cancelled. */
  async cancelledUnless(done: Promise<void>): Promise<void> {
    const { signal } = this.#ending
    const cancelled = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true }),
    )
    await Promise.race([done, cancelled])
    signal.throwIfAborted()
  }

  cancel(): void {
    this.#ending.abort(new Error('The move was cancelled'))
  }

  /**
   * Removes the copy and records the reason for the next start; `failure` is null if the user
   * cancelled.
   */
  async abandon(failure: string | null): Promise<void> {
    const { from, homeDir, plan } = this.route
    const isGone = await removeHalf(plan.to, this.#token, from).catch(() => false)
    const rest = isGone ? '' : ` The incomplete copy may still be in ${plan.to}.`
    await this.#tell(
      (pointer) => ({ ...pointer, moving: null, news: failure && failure + rest }),
      homeDir,
    )
  }

  async #tell(change: (pointer: Pointer) => Pointer, folder: string): Promise<void> {
    const file = pointerIn(folder)
    await file.write(change((await file.read()) ?? HERE))
  }
}

/** Throws unless both folders contain the same library and the blobs it references. */
async function requireSame(from: string, to: string): Promise<void> {
  const before = await verify(from, { readData: false })
  const after = await verify(to, { readData: false })
  const isSame =
    before.digest === after.digest && String(before.problems) === String(after.problems)
  if (!isSame)
    throw new Error(
      `The copy in ${to} differs from ${from}: ${after.problems[0] ?? 'its library differs'}`,
    )
}
