import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../../../core/backoff'
import type { Log } from '../../../core/logging/log'
import type { Bucket } from '../../../data/bucket/copies/bucket'
import { BucketError } from '../../../data/bucket/bucket-error'
import type { CopyStore } from '../copy-store'

/** How many copies are deleted at once. */
const AT_ONCE = 4
/** The waits after failures. */
const WAITS = { firstMs: 1000, longestMs: 300_000 }
/**
 * A copy that was cut may still be completed by the bucket: it is looked at again after this time,
 * in ms.
 */
const LATE_MS = 2000

interface Deps {
  store: CopyStore
  log: Pick<Log, 'warn'>
  /** Stops copying a file; true: a copy was on its way. */
  cancel: (blobId: string) => Promise<boolean>
  failed: (error: unknown) => void
  /** Called when a copy is gone, with its record. */
  onEnd: (blobId: string) => void
}

type Deleting = Pick<Bucket, 'remove' | 'abandon' | 'head' | 'unfinished'>

/**
 * Deletes copies that are no longer wanted, the newest request first, and retries until the bucket
 * has confirmed it. A record in the state `revoking` makes the next start continue.
 */
export class Revocations {
  readonly #blobIds = new Set<string>()
  /** To be tried now; the last one comes first. */
  #due: string[] = []
  /** To be tried after the wait. */
  #failed: string[] = []
  #failures = 0
  #wait: NodeJS.Timeout | undefined
  #running = 0
  #bucket: Deleting | undefined
  #ending = new AbortController()

  constructor(private readonly deps: Deps) {}

  /** Whether the copy of this blob is being deleted. */
  has(blobId: string): boolean {
    return this.#blobIds.has(blobId)
  }

  start(bucket: Deleting): void {
    this.#bucket = bucket
    this.#ending = new AbortController()
    this.#look()
  }

  /** Deletes a copy in any state. The first try follows at once, also while earlier copies wait. */
  begin(blobId: string): void {
    if (this.#blobIds.has(blobId)) return
    this.#blobIds.add(blobId)
    this.#due.push(blobId)
    // If the disk refuses this, the next start finds a copy of a file that wants none.
    void this.deps.store.revoke(blobId).catch(() => undefined)
    this.#look()
  }

  /** Retries now what has failed. */
  hurry(): void {
    clearTimeout(this.#wait)
    this.#wait = undefined
    this.#due = this.#failed.concat(this.#due)
    this.#failed = []
    this.#look()
  }

  /** A running request may still end, which changes nothing any more. */
  stop(): void {
    this.#bucket = undefined
    this.#ending.abort()
    clearTimeout(this.#wait)
    this.#wait = undefined
    this.#failures = 0
    this.#running = 0
    this.#due = []
    this.#failed = []
    this.#blobIds.clear()
  }

  #look(): void {
    while (this.#bucket && this.#running < AT_ONCE) {
      const blobId = this.#due.pop()
      if (blobId === undefined) return
      this.#running++
      void this.#run(blobId, this.#bucket, this.#ending.signal)
    }
  }

  async #run(blobId: string, bucket: Deleting, stopped: AbortSignal): Promise<void> {
    try {
      await this.#delete(blobId, bucket, stopped)
      if (stopped.aborted) return
      await this.deps.store.forget([blobId])
      this.#failures = 0
      this.#blobIds.delete(blobId)
      this.deps.onEnd(blobId)
    } catch (error) {
      if (!stopped.aborted) this.#retryLater(blobId, error)
    }
    if (stopped.aborted) return
    this.#running--
    this.#look()
  }

  async #delete(blobId: string, bucket: Deleting, stopped: AbortSignal): Promise<void> {
    const { store, cancel } = this.deps
    const wasRunning = await cancel(blobId)
    const uploadId = store.find(blobId)?.uploadId
    if (uploadId) await bucket.abandon(blobId, uploadId)
    await bucket.remove(blobId)
    if (!wasRunning) return
    await pause(LATE_MS, undefined, { signal: stopped, ref: false })
    if (await bucket.head(blobId)) await bucket.remove(blobId)
    // Its upload may have begun without an answer. A key that may not list leaves it to the
    // provider's rules.
    await endUploads(blobId, bucket).catch(() => undefined)
  }

  #retryLater(blobId: string, err: unknown): void {
    const { log, failed, store } = this.deps
    this.#failed.push(blobId)
    // The others would fail too, unless the bucket rejected this one.
    if (err instanceof BucketError && err.kind !== 'rejected')
      this.#failed = this.#failed.concat(this.#due.splice(0))
    if (this.#wait === undefined) {
      if (++this.#failures === 1)
        log.warn({ err, blobId }, 'cannot delete a copy from the bucket yet')
      this.#wait = setTimeout(() => this.hurry(), backoffMs(this.#failures, WAITS)).unref()
    }
    failed(err)
    void store.failing(blobId).catch(() => undefined)
  }
}

async function endUploads(blobId: string, bucket: Deleting): Promise<void> {
  for await (const upload of bucket.unfinished()) {
    if (upload.blobId === blobId) await bucket.abandon(blobId, upload.uploadId)
  }
}
