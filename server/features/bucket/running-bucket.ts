import { setTimeout as pause } from 'node:timers/promises'
import { background } from '../../core/background'
import type { Clock } from '../../core/clock'
import { endsWithin } from '../../core/deadline'
import { Bucket } from '../../data/bucket/copies/bucket'
import { CheckCopies } from './check-copies'
import { CopyPace, type PaceDeps } from './copying/copy-pace'
import { Copying, type CopyingDeps } from './copying/copying'
import { CopyAddresses } from './copy-addresses'
import { Health, VISITOR_WAITS_MS } from './health'
import type { ConfiguredBucket, BucketConfig } from './bucket-config'
import { placeOf } from './copy-store'
import type { BucketUsage } from './usage'

/** How often to look at the health of the bucket and at its copies, in ms. */
const LOOK_EVERY_MS = 1000
/**
 * How long leaving the copies where they are may take to end uploads and withdraw private ones, in
 * ms.
 */
const LEAVE_MS = 10_000

type HostDeps =
  | 'copyInside'
  | 'owner'
  | 'library'
  | 'store'
  | 'log'
  | 'open'
  | 'isWithheld'
  | 'filesOfRelease'

/** What a running bucket needs of the rest of the host. */
export interface RunningDeps extends Pick<CopyingDeps, HostDeps> {
  clock: Clock
  config: BucketConfig
  usage: BucketUsage
  pace: PaceDeps
}

type Keys = NonNullable<ConfiguredBucket['keys']>

/**
 * What works while a bucket is set up: copying, health and checks. Import it on demand: most hosts
 * have no bucket.
 */
export class RunningBucket {
  readonly copying: Copying
  readonly health: Health
  readonly checks: CheckCopies
  readonly addresses: CopyAddresses
  readonly #run: (work: () => unknown) => void
  #bucket: Bucket | undefined
  #looking: NodeJS.Timeout | undefined

  constructor(private readonly deps: RunningDeps) {
    const { store, log, config } = deps
    this.#run = background(log, 'cannot look after the bucket')
    const bucket = () => this.#bucket
    this.health = new Health({
      ...deps,
      bucket,
      someCopy: () => store.someCopy(),
      isOn: () => config.get()?.use === 'on',
      missed: (blobId) => this.checks.missed(blobId),
      patience: () => pause(VISITOR_WAITS_MS, undefined, { ref: false }),
      test: () => config.tryBucket(),
    })
    this.copying = new Copying({
      ...deps,
      pace: new CopyPace(deps.pace),
      mayCopy: () => this.health.mayCopy,
      worked: () => this.health.worked(),
      failed: (error) => this.health.failed(error),
      emptied: () => this.#emptied(),
    })
    this.checks = new CheckCopies({ ...deps, bucket, health: this.health, copying: this.copying })
    const isServable: Copying['isServable'] = (file) => this.copying.isServable(file)
    this.addresses = new CopyAddresses({
      store,
      bucket,
      health: this.health,
      seconds: () => config.get()?.seconds ?? 0,
      isServable,
    })
    this.health.onChange(() => {
      if (!this.health.isFailing) this.copying.hurry()
    })
  }

  get isOpen(): boolean {
    return this.#bucket !== undefined
  }

  /**
   * Begins to keep the copies in this bucket. Resolves when it has compared all copies with all
   * files.
   */
  async open(now: ConfiguredBucket, keys: Keys): Promise<void> {
    const bucket = await Bucket.open(now, keys)
    this.#bucket = bucket
    const target = { bucket, place: placeOf(now) }
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
    if (now.use === 'on') await this.copying.start(target, now.least_bytes)
    else await this.copying.remove(target)
  }

  /** Cuts running copies and keeps their progress. */
  async close(): Promise<void> {
    clearInterval(this.#looking)
    const bucket = this.#bucket
    this.#bucket = undefined
    this.checks.reset()
    this.health.reset()
    await this.copying.stop()
    bucket?.close()
  }

  /**
   * Before copies are left where they are: unfinished ones cost money, and private ones must not
   * stay.
   */
  async leave(): Promise<void> {
    const bucket = this.#bucket
    if (bucket === undefined) return
    await this.copying.stop()
    const { store } = this.deps
    const ends = store
      .inState('copying')
      .map(({ id, uploadId }) => uploadId && bucket.abandon(id, uploadId))
    const withdrawn = store.inState('revoking').map(({ id }) => bucket.remove(id))
    await endsWithin(LEAVE_MS, Promise.allSettled([...ends, ...withdrawn]))
  }

  #look(): void {
    this.#run(async () => {
      await this.health.look()
      this.copying.copies.look()
      if (this.deps.config.get()?.use === 'on') await this.checks.look()
    })
  }

  #emptied(): void {
    if (this.deps.config.get()?.use === 'removing')
      this.#run(() => this.deps.config.switchOff('off'))
  }
}
