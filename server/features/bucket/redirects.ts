import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import { Bucket } from '../../data/bucket/copies/bucket'
import type { BucketConfig, ConfiguredBucket } from './bucket-config'
import { CopyAddresses } from './copy-addresses'
import type { CopyStore } from './copy-store'
import { Health, VISITOR_WAITS_MS } from './health'

interface Deps extends Pick<ConstructorParameters<typeof CopyAddresses>[0], 'fresh'> {
  store: CopyStore
  config: BucketConfig
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  /** Whether a visitor may have the copy of this file at this moment. */
  isServable: ConstructorParameters<typeof CopyAddresses>[0]['isServable']
  /** Handles a copy that the bucket does not have. */
  missed: (blobId: string) => Promise<void>
}

/**
 * Sends visitors to the bucket that is set up: knows whether it works, and gives out addresses of
 * its copies. Import it on demand: most hosts have no bucket.
 */
export class Redirects {
  readonly health: Health
  readonly addresses: CopyAddresses
  #bucket: Bucket | undefined

  constructor(deps: Deps) {
    const { store, config } = deps
    const bucket = () => this.#bucket
    this.health = new Health({
      ...deps,
      bucket,
      someCopy: () => store.someCopy(),
      isOn: () => config.get()?.use === 'on',
      patience: () => pause(VISITOR_WAITS_MS, undefined, { ref: false }),
      test: () => config.tryBucket(),
    })
    const seconds = () => config.get()?.seconds ?? 0
    this.addresses = new CopyAddresses({ ...deps, bucket, health: this.health, seconds })
  }

  /** Undefined while none is open. */
  get bucket(): Bucket | undefined {
    return this.#bucket
  }

  async open(now: ConfiguredBucket, keys: NonNullable<ConfiguredBucket['keys']>): Promise<Bucket> {
    this.#bucket = await Bucket.open(now, keys)
    return this.#bucket
  }

  /** From now on, no visitor is redirected. Running calls end. */
  close(): void {
    const bucket = this.#bucket
    this.#bucket = undefined
    this.health.reset()
    bucket?.close()
  }
}
