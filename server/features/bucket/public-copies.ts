import type { BucketTestStep, BucketView } from '../../contract/host/bucket'
import type { ByteSource } from '../../core/byte-source'
import { background } from '../../core/background'
import { AppError } from '../../core/errors'
import { Serial } from '../../core/serial'
import type { TriedStep } from '../../data/bucket/try-bucket'
import type { BucketConfig } from './bucket-config'
import { placeOf } from './copy-store'
import { viewOf } from './bucket-view'
import type { CopiedFile, Redirects } from './redirects'
import type { RunningBucket, RunningDeps } from './running-bucket'

type Choice = Parameters<BucketConfig['setUp']>[0]
type Keys = Parameters<BucketConfig['setUp']>[1]

/**
 * Copies of big public files in an S3-compatible bucket, to which visitors are redirected. The disk
 * stays the truth: without the bucket the host sends everything itself. Until one is set up,
 * nothing of this runs or is loaded.
 */
export class PublicCopies {
  readonly #run: (work: () => unknown) => void
  #running: RunningBucket | undefined
  #keysMissingSince: string | undefined
  readonly #changes = new Serial()
  #isStopped = false

  constructor(private readonly deps: RunningDeps) {
    this.#run = background(deps.log, 'cannot follow the settings of the bucket')
  }

  /** Follows the settings from now on. Resolves when it has compared all copies with all files. */
  async start(): Promise<void> {
    const { config } = this.deps
    config.onChange(() => this.#run(() => this.#follow()))
    const now = config.get()
    // A kill may have come after switching off was stored and before the keys were forgotten.
    if (now?.use === 'off' && now.keys !== undefined) this.#run(() => config.switchOff('off'))
    await this.#follow()
  }

  /** Stops running copies and keeps their progress for the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running?.checks.stop()
    await this.#follow().catch(() => undefined)
  }

  view(): BucketView {
    const { store, usage, config, clock } = this.deps
    return viewOf({
      store,
      config: config.get(),
      isOverridden: config.isOverridden,
      keysMissingSince: this.#keysMissingSince,
      running: this.#running,
      month: usage.view(),
      now: clock.now(),
    })
  }

  /** See `Redirects`. */
  async presignUrl(
    file: CopiedFile,
    as: { filename: string; type: string },
  ): Promise<string | undefined> {
    return this.#running?.redirects.presignUrl(file, as)
  }

  /** See `Redirects`. */
  copyOf(file: CopiedFile): ReturnType<Redirects['copyOf']> {
    return this.#running?.redirects.copyOf(file)
  }

  /** Opens the complete copy of a blob, also if it is withheld from visitors. */
  open(blobId: string): ByteSource | undefined {
    const copy = this.deps.store.find(blobId)
    const { bucket } = this.#running?.redirects ?? {}
    return copy?.state === 'there' ? bucket?.read(blobId, copy.size) : undefined
  }

  /** Makes the copy of a blob whose bytes on the disk were mended. */
  async mended(blobId: string): Promise<void> {
    const copy = this.deps.store.find(blobId)
    if (copy?.state === 'damaged') await this.#running?.copying.lost(copy)
  }

  /** Counts redirects for `bytes` of this file. */
  handedOver({ blobId }: Pick<CopiedFile, 'blobId'>, bytes: number, times = 1): void {
    this.deps.usage.redirected(bytes, times)
    this.#running?.checks.redirected(blobId)
  }

  /**
   * Sets up the bucket, or changes its settings. Throws `invalid_input` while there are copies in
   * another bucket, and if there are no keys.
   */
  async setUp(choice: Choice, keys: Keys): Promise<void> {
    const { store, config } = this.deps
    if (store.isElsewhere(placeOf(choice)) && !config.isOverridden) {
      const remedy =
        'Switch off downloads from a bucket first, and choose what happens to these copies.'
      throw new AppError(
        'invalid_input',
        `There are still copies in another bucket. ${remedy}`,
        'bucket',
      )
    }

    await config.setUp(choice, keys)
    await this.#changes.idle()
  }

  /**
   * Sends everything from the disk again. `delete` continues in the background until no copy is
   * left.
   */
  async switchOff(copies: 'delete' | 'keep'): Promise<void> {
    const { config, store } = this.deps
    if (copies === 'delete' && store.size > 0 && this.#keysMissingSince !== undefined)
      throw new AppError(
        'invalid_input',
        'Without the keys of the bucket its copies can only be kept',
        'copies',
      )

    if (copies === 'keep') await this.#running?.leave()

    await config
      .switchOff(copies === 'delete' && store.size > 0 ? 'removing' : 'off')
      .catch((error: unknown) => {
        // The copies are kept as the files want them, until the settings say otherwise.
        this.#run(() => this.#follow())
        throw error
      })

    await this.#changes.idle()
  }

  /** Tries each kind of request with a small object. Steps after the first failure are skipped. */
  async test(choice: Choice, keys: Keys): Promise<BucketTestStep[]> {
    const { tryBucket } = await import('../../data/bucket/try-bucket')
    return testSteps(await tryBucket(choice, this.deps.config.requireKeys(choice.endpoint, keys)))
  }

  /**
   * Begins to compare all copies with their records. Throws `mirror_off`, and `in_progress` while
   * it runs.
   */
  async verify(readData: boolean): Promise<void> {
    if (!this.#running?.isOpen) throw new AppError('mirror_off', 'Downloads from a bucket are off')
    this.#running.checks.verify(readData)
  }

  /** Applies the present settings, one change after another. */
  #follow(): Promise<void> {
    return this.#changes.run(() => this.#apply())
  }

  async #apply(): Promise<void> {
    this.#keysMissingSince = undefined
    await this.#running?.close()
    const { config, store, clock } = this.deps
    const now = config.get()
    if (this.#isStopped) return
    if (now === undefined || now.use === 'off') return store.forget(store.all().map(({ id }) => id))
    if (now.keys === undefined) this.#keysMissingSince = clock.now().toISOString()
    else await (await this.#loaded()).open(now, now.keys)
  }

  async #loaded(): Promise<RunningBucket> {
    const { RunningBucket } = await import('./running-bucket')
    this.#running ??= new RunningBucket(this.deps)
    return this.#running
  }
}

/** All steps of a test as the contract describes them. */
const testSteps = (tried: readonly TriedStep[]): BucketTestStep[] =>
  (['put', 'read', 'head', 'delete'] as const).map((step): BucketTestStep => {
    const result = tried.find((it) => it.step === step)
    if (result === undefined) return { step, state: 'skipped', problem: null, detail: null }
    return { ...result, state: result.problem === null ? 'done' : 'failed' }
  })
