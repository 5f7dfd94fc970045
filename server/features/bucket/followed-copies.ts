import { background } from '../../core/background'
import type { Clock } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import { Serial } from '../../core/serial'
import type { Library } from '../../data/library/library'
import type { RecordActivity } from '../../data/library/activity-deltas'
import type { BucketConfig } from './bucket-config'
import { isWholeCopy, placeOf, type CopyStore } from './copy-store'
import { isForVisitors } from './copying/wanted-files'
import type { CopiedFile, Redirects } from './redirects'

/** How often to look at the settings and the health of the bucket, in ms. */
const LOOK_EVERY_MS = 1000

interface Deps {
  library: Library
  store: CopyStore
  config: BucketConfig
  clock: Clock
  log: Log
  /** Whether projects offer the file in drafts and withdrawn releases only. */
  isWithheld: (fileId: string) => boolean
  /** Makes the copies. `fresh`: resolves once all that it acknowledged before is known here. */
  primary: { fresh: () => Promise<void>; recordActivity: RecordActivity }
}

/**
 * Redirects visitors to the copies that another process makes in the bucket, and reports each
 * redirect to it.
 */
export class FollowedCopies {
  readonly #run: (work: () => unknown) => void
  readonly #changes = new Serial()
  #redirects: Redirects | undefined
  #looking: NodeJS.Timeout | undefined

  constructor(private readonly deps: Deps) {
    this.#run = background(deps.log, 'cannot follow the settings of the bucket')
  }

  /** Follows the settings from now on. */
  start(): void {
    const { config } = this.deps
    config.onChange(() => this.#run(() => this.#changes.run(() => this.#apply())))
    this.#run(() => this.#changes.run(() => this.#apply()))
    this.#looking = setInterval(() => {
      this.#run(async () => {
        await config.rereadKeys()
        await this.#redirects?.health.look()
      })
    }, LOOK_EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.#looking)
    this.#redirects?.close()
  }

  /** See `Redirects`. */
  async presignUrl(...request: Parameters<Redirects['presignUrl']>): Promise<string | undefined> {
    return this.#redirects?.presignUrl(...request)
  }

  /** See `Redirects`. */
  copyOf(file: CopiedFile): ReturnType<Redirects['copyOf']> {
    return this.#redirects?.copyOf(file)
  }

  /** Reports a redirect for `bytes` of this file. */
  handedOver({ blobId }: Pick<CopiedFile, 'blobId'>, bytes: number): void {
    this.deps.primary.recordActivity({ kind: 'redirected', blobId, bytes, times: 1 })
  }

  async #apply(): Promise<void> {
    this.#redirects?.close()
    const now = this.deps.config.get()
    if (now?.use !== 'on' || now.keys === undefined) return
    await (await this.#loaded()).open(now, now.keys)
  }

  async #loaded(): Promise<Redirects> {
    const { Redirects } = await import('./redirects')
    this.#redirects ??= new Redirects({
      ...this.deps,
      fresh: this.deps.primary.fresh,
      // The primary finds it, too, and makes it again.
      missed: () => Promise.resolve(),
      isServable: (file) => this.#isServable(file),
    })
    return this.#redirects
  }

  #isServable(file: CopiedFile): boolean {
    const { config, store, library, isWithheld } = this.deps
    const now = config.get()
    if (!isWholeCopy(store.find(file.blobId), file, now && placeOf(now))) return false
    return isForVisitors(file, library.collection('files'), { isWithheld })
  }
}
