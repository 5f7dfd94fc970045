import { setTimeout as pause } from 'node:timers/promises'
import type { MirrorTestStep, MirrorView } from '../../contract/mirror'
import { background } from '../../core/background'
import type { Clock } from '../../core/clock'
import { AppError } from '../../core/errors'
import type { Bucket } from '../../data/bucket/bucket'
import { testSteps, type BucketAccess } from './bucket-access'
import { CheckCopies } from './check-copies'
import { Copying, type CopyingNeeds } from './copying/copying'
import { Health } from './health'
import type { ConfiguredBucket, MirrorConfig } from './mirror-config'
import { placeOf } from './mirror-store'
import { viewOf } from './mirror-view'

/** How often to look at the health of the bucket and at its copies, in ms. */
const LOOK_EVERY_MS = 1000
/** How long switching off without deleting may take to end uploads and withdraw private copies, in ms. */
const LEAVE_MS = 10_000

type Given = 'owner' | 'library' | 'store' | 'usage' | 'log' | 'open' | 'pace' | 'isWithheld' | 'filesOfRelease'

interface Needs extends Pick<CopyingNeeds, Given> {
  clock: Clock
  config: MirrorConfig
  usage: CopyingNeeds['usage'] & { redirected: (bytes: number) => void; view: () => MirrorView['month'] }
  access: BucketAccess
}

type File = Parameters<Copying['isServable']>[0]
type Keys = NonNullable<ConfiguredBucket['keys']>
type Choice = Parameters<MirrorConfig['setUp']>[0]

/**
 * Copies of big public files in an S3-compatible bucket, to which visitors are redirected. The disk stays the truth: without
 * the bucket the host sends everything itself. Until one is set up, nothing of this runs and its client is not loaded.
 */
export class Mirror {
  readonly #copying: Copying
  readonly #health: Health
  readonly #checks: CheckCopies
  readonly #run: (work: () => unknown) => void
  #bucket: Bucket | undefined
  #keysMissingSince: string | undefined
  #tail: Promise<void> = Promise.resolve()
  #looking: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(private readonly needs: Needs) {
    const { store, log, config, access } = needs
    this.#run = background(log, 'cannot follow the settings of the bucket')
    const bucket = () => this.#bucket
    this.#health = new Health({
      ...needs,
      bucket,
      someCopy: () => store.someCopy(),
      missed: (blobId) => this.#checks.missed(blobId),
      test: async () => {
        const now = config.get()
        return now?.keys === undefined ? [] : access.try(now, now.keys)
      },
    })
    this.#copying = new Copying({
      ...needs,
      mayCopy: () => this.#health.mayCopy,
      worked: () => this.#health.worked(),
      failed: (error) => this.#health.failed(error),
      emptied: () => this.#emptied(),
    })
    this.#checks = new CheckCopies({
      ...needs,
      bucket,
      health: this.#health,
      copies: () => store.inState('there'),
      find: (blobId) => store.find(blobId),
      wants: (blobId) => this.#copying.wants(blobId),
      lost: (copy) => this.#copying.lost(copy),
    })
    this.#health.onChange(() => {
      if (!this.#health.isFailing) this.#copying.hurry()
    })
  }

  /** Follows the settings from now on. Resolves when it has compared all copies with all files. */
  async start(): Promise<void> {
    this.needs.config.onChange(() => this.#run(() => this.#follow()))
    await this.#follow()
  }

  /** Cuts running copies and keeps their progress for the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#checks.stop()
    await this.#follow().catch(() => undefined)
  }

  view(): MirrorView {
    const { store, usage, config, clock } = this.needs
    return viewOf({
      store,
      config: config.get(),
      isOverridden: config.isOverridden,
      keysMissingSince: this.#keysMissingSince,
      problem: this.#health.problem,
      copying: this.#copying,
      month: usage.view(),
      check: this.#checks.view,
      now: clock.now(),
    })
  }

  /** An address from which the bucket sends a file for a while, without waiting for the network. Undefined: none. */
  async addressOf(file: File, as: { filename: string; type: string }): Promise<string | undefined> {
    const bucket = this.#bucket
    const isGood = () => this.#bucket === bucket && this.#health.isWell && this.#copying.isServable(file)
    if (bucket === undefined || !isGood()) return undefined
    const seconds = this.needs.config.get()?.seconds ?? 0
    const address = await bucket.addressOf(file.blobId, { ...as, seconds }).catch(() => undefined)
    // The file may have become private during the signing.
    return isGood() ? address : undefined
  }

  /** The complete copy of a file, by the ETag that the bucket sends. Undefined: there is none. */
  copyOf(file: File): { etag: string; isWell: boolean } | undefined {
    const etag = this.#copying.isServable(file) ? this.needs.store.find(file.blobId)?.etag : undefined
    return etag ? { etag, isWell: this.#health.isWell } : undefined
  }

  /** Counts a redirect for `bytes` of this file. */
  handedOver({ blobId }: Pick<File, 'blobId'>, bytes: number): void {
    this.needs.usage.redirected(bytes)
    this.#checks.redirected(blobId)
  }

  /**
   * Sets up the bucket, or changes its settings. Throws `invalid_input` while there are copies in another bucket, and if
   * there are no keys.
   */
  async setUp(choice: Choice, keys: Keys | undefined): Promise<void> {
    const { store, config } = this.needs
    if (store.isElsewhere(placeOf(choice)) && !config.isOverridden) {
      const remedy = 'Switch off downloads from a bucket first, and choose what happens to these copies.'
      throw new AppError('invalid_input', `There are still copies in another bucket. ${remedy}`, 'bucket')
    }
    await config.setUp(choice, keys)
    await this.#tail
  }

  /** Sends everything from the disk again. `delete` continues in the background until no copy is left. */
  async switchOff(copies: 'delete' | 'keep'): Promise<void> {
    const { config, store } = this.needs
    if (copies === 'delete' && store.size > 0 && this.#keysMissingSince !== undefined)
      throw new AppError('invalid_input', 'Without the keys of the bucket its copies can only be kept', 'copies')
    if (copies === 'keep') await this.#leave()
    await config.switchOff(copies === 'delete' && store.size > 0 ? 'removing' : 'off')
    await this.#tail
  }

  /** Tries each kind of request with a small object. Steps after the first failure are skipped. */
  async test(choice: Choice, keys: Keys | undefined): Promise<MirrorTestStep[]> {
    return testSteps(await this.needs.access.try(choice, this.needs.config.keysOf(choice.endpoint, keys)))
  }

  /** Begins to compare all copies with their records. Throws `mirror_off`, and `in_progress` while it runs. */
  verify(readData: boolean): Promise<void> {
    if (this.#bucket === undefined) throw new AppError('mirror_off', 'Downloads from a bucket are off')
    return Promise.resolve(this.#checks.verify(readData))
  }

  /** Applies the settings as they are; one change after the other. */
  #follow(): Promise<void> {
    const done = this.#tail.then(() => this.#apply())
    this.#tail = done.catch(() => undefined)
    return done
  }

  async #apply(): Promise<void> {
    await this.#close()
    const { config, store, clock } = this.needs
    const now = config.get()
    if (this.#isStopped) return
    if (now === undefined || now.use === 'off') return store.forget(store.all().map(({ id }) => id))
    if (now.keys === undefined) this.#keysMissingSince = clock.now().toISOString()
    else await this.#open(now, now.keys)
  }

  async #open(now: ConfiguredBucket, keys: Keys): Promise<void> {
    const bucket = await this.needs.access.open(now, keys)
    this.#bucket = bucket
    const target = { bucket, place: placeOf(now) }
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
    if (now.use === 'on') await this.#copying.start(target, now.leastBytes)
    else await this.#copying.remove(target)
  }

  async #close(): Promise<void> {
    clearInterval(this.#looking)
    this.#keysMissingSince = undefined
    const bucket = this.#bucket
    this.#bucket = undefined
    this.#checks.reset()
    this.#health.reset()
    await this.#copying.stop()
    bucket?.close()
  }

  #look(): void {
    this.#run(async () => {
      await this.#health.look()
      this.#copying.copies.look()
      if (this.needs.config.get()?.use === 'on') await this.#checks.look()
    })
  }

  /** Before copies are left where they are: unfinished ones cost money, and private ones must not stay. */
  async #leave(): Promise<void> {
    const bucket = this.#bucket
    if (bucket === undefined) return
    await this.#copying.stop()
    const { store } = this.needs
    const ends = store.inState('copying').map(({ id, uploadId }) => uploadId && bucket.abandon(id, uploadId))
    const withdrawn = store.inState('revoking').map(({ id }) => bucket.remove(id))
    await Promise.race([Promise.allSettled([...ends, ...withdrawn]), pause(LEAVE_MS, undefined, { ref: false })])
  }

  #emptied(): void {
    if (this.needs.config.get()?.use === 'removing') this.#run(() => this.needs.config.switchOff('off'))
  }
}
