import { background } from '../../core/background'
import type { Clock } from '../../core/clock'
import { endsWithin } from '../../core/deadline'
import { CheckCopies } from './check-copies'
import { CopyPace, type PaceDeps } from './copying/copy-pace'
import { Copying, type CopyingDeps } from './copying/copying'
import type { Health } from './health'
import { Redirects } from './redirects'
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

/** What a bucket in use needs from the host. */
export interface RunningDeps extends Pick<CopyingDeps, HostDeps> {
  clock: Clock
  config: BucketConfig
  usage: BucketUsage
  pace: PaceDeps
}

type Keys = NonNullable<ConfiguredBucket['keys']>

/**
 * What works while a bucket is set up: copying, redirects and checks. Import it on demand: most
 * hosts have no bucket.
 */
export class RunningBucket {
  readonly copying: Copying
  readonly redirects: Redirects
  readonly checks: CheckCopies
  readonly #run: (work: () => unknown) => void
  #looking: NodeJS.Timeout | undefined

  constructor(private readonly deps: RunningDeps) {
    this.#run = background(deps.log, 'cannot look after the bucket')

    this.redirects = new Redirects({
      ...deps,
      missed: (blobId) => this.checks.missed(blobId),
      isServable: (file) => this.copying.isServable(file),
    })

    const { health } = this.redirects
    const bucket = () => this.redirects.bucket

    const pace = new CopyPace(deps.pace)
    this.copying = new Copying({ ...deps, pace, health, emptied: () => this.#emptied() })
    this.checks = new CheckCopies({ ...deps, bucket, health, copying: this.copying })
    health.onChange(() => {
      if (!health.isFailing) this.copying.hurry()
    })
  }

  get isOpen(): boolean {
    return this.redirects.bucket !== undefined
  }

  get health(): Health {
    return this.redirects.health
  }

  /**
   * Begins to keep the copies in this bucket. Resolves when it has compared all copies with all
   * files.
   */
  async open(now: ConfiguredBucket, keys: Keys): Promise<void> {
    const bucket = await this.redirects.open(now, keys)
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
    // A bucket that is being left gets no copies.
    const leastBytes = now.use === 'on' ? now.least_bytes : undefined
    await this.copying.start({ bucket, place: placeOf(now) }, leastBytes)
  }

  /** Stops running copies and keeps their progress. */
  async close(): Promise<void> {
    clearInterval(this.#looking)
    await this.copying.stop()
    this.checks.reset()
    this.redirects.close()
  }

  /**
   * Before copies are left where they are: unfinished ones cost money, and private ones must not
   * stay.
   */
  async leave(): Promise<void> {
    const { bucket } = this.redirects
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
      this.copying.look()
      if (this.deps.config.get()?.use === 'on') await this.checks.look()
    })
  }

  #emptied(): void {
    if (this.deps.config.get()?.use === 'removing')
      this.#run(() => this.deps.config.switchOff('off'))
  }
}
