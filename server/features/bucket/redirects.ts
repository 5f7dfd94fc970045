import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import { Bucket } from '../../data/bucket/copies/bucket'
import type { FileRecord } from '../../data/records/file-records'
import type { Copy } from '../downloads/may-redirect'
import type { BucketConfig, ConfiguredBucket } from './bucket-config'
import type { CopyStore } from './copy-store'
import { Health, VISITOR_WAITS_MS } from './health'

/** A file whose copy a visitor asks for. */
export type CopiedFile = Pick<FileRecord, 'id' | 'blobId' | 'sha256'>

interface Deps {
  store: CopyStore
  config: BucketConfig
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  /** Whether a visitor may have the copy of this file at this moment. */
  isServable: (file: CopiedFile) => boolean
  /** Handles a copy that the bucket does not have. */
  missed: (blobId: string) => Promise<void>
  /** Resolves once all that was acknowledged before is known. Undefined: it always is. */
  fresh?: () => Promise<void>
}

/**
 * Sends visitors to the bucket that is set up: knows whether it works, and gives out addresses of
 * its copies. Import it on demand: most hosts have no bucket.
 */
export class Redirects {
  readonly health: Health
  #bucket: Bucket | undefined

  constructor(private readonly deps: Deps) {
    const { store, config } = deps
    this.health = new Health({
      ...deps,
      bucket: () => this.#bucket,
      someCopy: () => store.someCopy(),
      isOn: () => config.get()?.use === 'on',
      patience: () => pause(VISITOR_WAITS_MS, undefined, { ref: false }),
      test: () => config.tryBucket(),
    })
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

  /**
   * An address from which the bucket sends a file for a while. Waits up to a second for the bucket
   * if its last answer is old. Undefined: none.
   */
  async presignUrl(
    file: CopiedFile,
    as: { filename: string; type: string },
  ): Promise<string | undefined> {
    const { isServable, config, fresh } = this.deps
    const bucket = this.#bucket
    const isGood = () => this.#bucket === bucket && this.health.isWell && isServable(file)
    if (bucket === undefined || !isGood() || !(await this.health.confirm())) return undefined

    const seconds = config.get()?.seconds ?? 0
    const address = await bucket.presignUrl(file.blobId, { ...as, seconds }).catch(() => undefined)

    // The file may have become private during the signing, here or elsewhere.
    const isFresh = await (fresh?.().then(
      () => true,
      () => false,
    ) ?? true)
    return isFresh && isGood() ? address : undefined
  }

  /** The complete copy of a file, by the ETag that the bucket sends. Undefined: there is none. */
  copyOf(file: CopiedFile): Copy | undefined {
    const { isServable, store } = this.deps
    const etag = isServable(file) ? store.find(file.blobId)?.etag : undefined
    return etag ? { etag, isWell: this.health.isWell } : undefined
  }
}
