import { setTimeout as pause } from 'node:timers/promises'
import { background } from '../../core/background'
import type { Clock } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import { Serial } from '../../core/serial'
import type { Bucket } from '../../data/bucket/copies/bucket'
import type { Library } from '../../data/library/library'
import type { TellMark } from '../../data/library/marks'
import type { BucketConfig } from './bucket-config'
import type { CopyAddresses } from './copy-addresses'
import { isWholeCopy, placeOf, type CopyStore } from './copy-store'
import { isForVisitors } from './copying/wanted-files'
import type { Health } from './health'

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
  /** `fresh`: resolves once this host knows all that was acknowledged before the call. */
  reader: { fresh: () => Promise<void>; tell: TellMark }
}

type File = Parameters<CopyAddresses['copyOf']>[0]

interface Open {
  bucket: Bucket
  health: Health
  addresses: CopyAddresses
}

/**
 * At a reader of a cluster: leads visitors to the copies that its writer keeps in the bucket, and
 * tells it of each.
 */
export class ReaderCopies {
  readonly #run: (work: () => unknown) => void
  readonly #changes = new Serial()
  #open: Open | undefined
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
        await this.#open?.health.look()
      })
    }, LOOK_EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.#looking)
    this.#close()
  }

  /** See `CopyAddresses`. */
  async presignUrl(
    ...request: Parameters<CopyAddresses['presignUrl']>
  ): Promise<string | undefined> {
    return this.#open?.addresses.presignUrl(...request)
  }

  /** See `CopyAddresses`. */
  copyOf(file: File): ReturnType<CopyAddresses['copyOf']> {
    return this.#open?.addresses.copyOf(file)
  }

  /** Counts a redirect for `bytes` of this file, at the writer. */
  handedOver({ blobId }: Pick<File, 'blobId'>, bytes: number): void {
    this.deps.reader.tell({ kind: 'redirected', blobId, bytes, times: 1 })
  }

  #close(): void {
    this.#open?.health.reset()
    this.#open?.bucket.close()
    this.#open = undefined
  }

  async #apply(): Promise<void> {
    this.#close()
    const { config, store, clock, log, library, isWithheld, reader } = this.deps
    const now = config.get()
    if (now?.use !== 'on' || now.keys === undefined) return
    const [{ Bucket }, { CopyAddresses }, { Health, VISITOR_WAITS_MS }] = await Promise.all([
      import('../../data/bucket/copies/bucket'),
      import('./copy-addresses'),
      import('./health'),
    ])
    const bucket = await Bucket.open(now, now.keys)
    const health = new Health({
      clock,
      log,
      bucket: () => this.#open?.bucket,
      someCopy: () => store.someCopy(),
      isOn: () => true,
      // The writer finds that, too, and makes it again.
      missed: () => Promise.resolve(),
      patience: () => pause(VISITOR_WAITS_MS, undefined, { ref: false }),
      test: () => config.tryBucket(),
    })
    const place = placeOf(now)
    const files = library.collection('files')
    const isServable = (file: File) =>
      isWholeCopy(store.find(file.blobId), file, place) &&
      isForVisitors(file, files, { isWithheld })
    const current = () => this.#open?.bucket
    const addresses = new CopyAddresses({
      store,
      bucket: current,
      health,
      seconds: () => now.seconds,
      isServable,
      fresh: reader.fresh,
    })
    this.#open = { bucket, health, addresses }
  }
}
