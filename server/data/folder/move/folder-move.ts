import { randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { verify } from '../../repair/verify'
import { lockDataDir } from '../lock/lock'
import { FolderCopy, type Progress } from './folder-copy'
import { copyMarkIn, markHalf, removeHalf } from './half-copy'
import { HERE } from '../pointer'
import { FolderSwitch } from './folder-switch'
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
export class FolderMove extends FolderSwitch {
  readonly #token = randomBytes(12).toString('hex')
  readonly #copy: FolderCopy

  constructor(
    private readonly route: Route,
    onProgress: () => void = () => undefined,
  ) {
    super(route.homeDir)
    const { from, plan } = route

    this.#copy = new FolderCopy({
      from,
      to: plan.to,
      shares: plan.shares,
      signal: this.ending.signal,
      onProgress,
    })
  }

  get progress(): Readonly<Progress> {
    return this.#copy.progress
  }

  get to(): string {
    return this.route.plan.to
  }

  get failed(): string {
    return `The data folder could not be moved to ${this.to}`
  }

  /**
   * Copies large files while the host runs. Throws if it fails or is cancelled; `abandon` then
   * cleans up.
   */
  async prepare(): Promise<void> {
    const { plan } = this.route
    const moving = { to: plan.to, token: this.#token }
    await this.tell((pointer) => ({ ...pointer, moving, news: null }))
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
      this.ending.signal.throwIfAborted()

      const news =
        `The data is now in ${plan.to}. The old folder ${from} is still there until you delete ` +
        'it, under Host, Data.'
      const path = plan.to === (await realpath(homeDir)) ? null : plan.to
      await this.tell(() => ({ path, moving: null, old: from, news }))
    } finally {
      await lock.release()
    }

    // The new folder is in use now; the next start finishes what fails here.
    if (from !== homeDir)
      await this.tell(() => ({ ...HERE, path: plan.to }), from).catch(() => undefined)
    await copyMarkIn(plan.to)
      .remove()
      .catch(() => undefined)
  }

  /**
   * Removes the copy and records the reason for the next start; `failure` is null if the user
   * cancelled.
   */
  async abandon(failure: string | null): Promise<void> {
    const { from, plan } = this.route
    const isGone = await removeHalf(plan.to, this.#token, from).catch(() => false)
    const rest = isGone ? '' : ` The incomplete copy may still be in ${plan.to}.`
    await this.tell((pointer) => ({ ...pointer, moving: null, news: failure && failure + rest }))
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
