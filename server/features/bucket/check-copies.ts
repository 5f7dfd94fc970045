import type { BucketView } from '../../contract/host/bucket'
import { DAY_MS, type Clock } from '../../core/clock'
import { AppError } from '../../core/errors'
import type { Log } from '../../core/logging/log'
import type { Bucket, ListedObject } from '../../data/bucket/copies/bucket'
import { TRIAL } from '../../data/bucket/bucket-choice'
import { BucketError, nullIfRejected } from '../../data/bucket/bucket-error'
import type { CopyRecord } from '../../data/records/file-records'
import type { Copying } from './copying/copying'
import type { Health } from './health'
import type { CopyStore } from './copy-store'
import type { BucketUsage } from './usage'

/** How often to look at the copies to which visitors were redirected, in ms. */
const REDIRECTED_MS = 3_600_000
/** Objects younger than this may belong to a copy that is just being completed, in ms. */
const ORPHAN_MS = 3_600_000

type Findings = Record<'whole' | 'missing' | 'altered', number>
const none = (): Findings => ({ whole: 0, missing: 0, altered: 0 })

/** The bucket as a check uses it, until the signal. */
interface Access {
  bucket: Pick<Bucket, 'head' | 'hash' | 'remove' | 'abandon' | 'list' | 'unfinished'>
  signal: AbortSignal
}

interface Deps {
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  usage: Pick<BucketUsage, 'checked' | 'lastCheck'>
  /** Marks the copies of this host. */
  owner: () => string
  health: Pick<Health, 'isFailing' | 'failed'>
  store: Pick<CopyStore, 'find' | 'inState'>
  copying: Pick<Copying, 'wants' | 'lost'>
  /** Undefined while none is set up. */
  bucket: () => Access['bucket'] | undefined
}

/**
 * One check of all copies. A failure of the bucket interrupts it, and it continues when the bucket
 * works again.
 */
interface Pass {
  /** Whether a person asked for it. */
  isManual: boolean
  /** Reads and hashes each copy too. */
  readsData: boolean
  isListed: boolean
  total: number
  /** The ids of the copies that are still to be compared. */
  remaining: Set<string>
  findings: Findings
}

/**
 * Compares the copies in the bucket with their records, and has missing and altered ones made
 * again: all of them once a day, or at once when a person asks or one was missing, and those to
 * which visitors were redirected once an hour. One listing proves most copies; only those that it
 * does not prove cost a request of their own. The same listing finds leftovers.
 */
export class CheckCopies {
  #pass: Pass | undefined
  readonly #redirected = new Set<string>()
  #redirectedAt: number
  #looking: Promise<void> | undefined
  #closing = new AbortController()

  constructor(private readonly deps: Deps) {
    this.#redirectedAt = deps.clock.elapsed() + REDIRECTED_MS
  }

  get view(): BucketView['check'] {
    const running = this.#pass
      ? { done: this.#pass.total - this.#pass.remaining.size, total: this.#pass.total }
      : null
    return { running, last: this.deps.usage.lastCheck }
  }

  /** Records a redirect to this copy. */
  redirected(blobId: string): void {
    this.#redirected.add(blobId)
  }

  /**
   * Starts to check all copies. Throws `in_progress` while a check that a person asked for runs.
   */
  verify(readsData: boolean): void {
    if (this.#pass?.isManual)
      throw new AppError('in_progress', 'The copies are being checked: wait until that finishes')
    this.#cancel()
    this.#pass = this.#begin(true, readsData)
  }

  /**
   * Handles a copy that the bucket does not have, and has all others checked, because people empty
   * whole buckets.
   */
  async missed(blobId: string): Promise<void> {
    const copy = this.deps.store.find(blobId)
    if (copy?.state !== 'there') return
    await this.deps.copying.lost(copy)
    this.#pass ??= this.#begin()
    this.#pass.findings.missing++
  }

  /** Does what is due. Call it every second. */
  async look(): Promise<void> {
    const bucket = this.deps.bucket()
    if (this.#looking || bucket === undefined || this.deps.health.isFailing) return
    this.#looking = this.#work({ bucket, signal: this.#closing.signal })
    await this.#looking.finally(() => (this.#looking = undefined))
  }

  /** Cuts a running check and forgets it: another bucket was set up. */
  reset(): void {
    this.#cancel()
    this.#redirected.clear()
  }

  /** Like `reset`, and resolves when nothing of the check runs any more. */
  async stop(): Promise<void> {
    this.reset()
    await this.#looking?.catch(() => undefined)
  }

  #cancel(): void {
    this.#closing.abort()
    this.#closing = new AbortController()
    this.#pass = undefined
  }

  async #work(access: Access): Promise<void> {
    try {
      await this.#checkRedirected(access)
      if (this.#isDue) this.#pass ??= this.#begin()
      if (this.#pass) await this.#run(access, this.#pass)
    } catch (error) {
      if (access.signal.aborted) return
      if (!(error instanceof BucketError)) throw error
      this.deps.health.failed(error)
    }
  }

  get #isDue(): boolean {
    const { lastCheck } = this.deps.usage
    const age = this.deps.clock.now().getTime() - Date.parse(lastCheck?.at ?? '')
    // Neither no check (NaN) nor a clock that was set back may stop the checks.
    return !(age >= 0 && age < DAY_MS)
  }

  async #checkRedirected(access: Access): Promise<void> {
    const now = this.deps.clock.elapsed()
    if (now < this.#redirectedAt) return
    const findings = none()
    for (const blobId of [...this.#redirected]) {
      this.#redirected.delete(blobId)
      await this.#check(access, blobId, findings)
    }
    this.#redirectedAt = now + REDIRECTED_MS
    this.#warn(findings)
  }

  #begin(isManual = false, readsData = false): Pass {
    const remaining = new Set(this.deps.store.inState('there').map(({ id }) => id))
    return {
      isManual,
      readsData,
      isListed: false,
      total: remaining.size,
      remaining,
      findings: none(),
    }
  }

  async #run(access: Access, pass: Pass): Promise<void> {
    const { remaining, findings, readsData } = pass
    if (!pass.isListed) await this.#list(access, pass)

    for (const blobId of remaining) {
      await this.#check(access, blobId, findings, readsData)
      remaining.delete(blobId)
    }

    access.signal.throwIfAborted()
    this.#pass = undefined

    const { whole, missing, altered } = findings
    this.deps.usage.checked({ checked: whole + missing + altered, missing, altered })
    this.#warn(findings)
  }

  /**
   * Crosses off the copies that are as recorded, deletes objects that no record wants, and ends old
   * uploads.
   */
  async #list({ bucket, signal }: Access, pass: Pass): Promise<void> {
    const { log, store } = this.deps
    try {
      let deleted = 0
      for await (const object of bucket.list()) {
        signal.throwIfAborted()
        const copy = pass.remaining.has(object.blobId) ? store.find(object.blobId) : undefined
        const isWhole = !pass.readsData && isAsRecorded(copy, object)
        if (isWhole) pass.findings.whole += Number(pass.remaining.delete(object.blobId))
        else deleted += Number(await this.#deleteOrphan({ bucket, signal }, object))
      }

      const ended = await this.#endUploads({ bucket, signal })
      if (deleted + ended > 0) log.info({ deleted, ended }, 'Deleted leftovers from the bucket.')
    } catch (error) {
      // Downloads do not need the permission to list: without it, each copy is checked by a request
      // of its own.
      if (!(error instanceof BucketError) || !['no_permission', 'rejected'].includes(error.kind))
        throw error
      const why =
        error.kind === 'rejected'
          ? 'The store did not list the bucket'
          : 'The key may not list the bucket'
      log.info({ detail: error.detail }, `${why}, so leftovers stay there.`)
    }

    pass.isListed = true
  }

  /**
   * Returns whether it was deleted. Touches only objects of this host: the bucket may have other
   * objects, or copies of another host.
   */
  async #deleteOrphan({ bucket, signal }: Access, { blobId, at }: ListedObject): Promise<boolean> {
    const { clock, owner, copying } = this.deps
    if (copying.wants(blobId) || clock.now().getTime() - at.getTime() < ORPHAN_MS) return false
    const maker = (await bucket.head(blobId, signal))?.owner
    if (maker === undefined || ![owner(), TRIAL].includes(maker) || copying.wants(blobId))
      return false
    await bucket.remove(blobId)
    return true
  }

  async #endUploads({ bucket, signal }: Access): Promise<number> {
    let ended = 0
    for await (const { blobId, uploadId, at } of bucket.unfinished()) {
      signal.throwIfAborted()
      const isOld = this.deps.clock.now().getTime() - at.getTime() >= DAY_MS
      if (!isOld || this.deps.store.find(blobId)?.uploadId === uploadId) continue
      await bucket.abandon(blobId, uploadId)
      ended++
    }
    return ended
  }

  #warn({ missing, altered }: Findings): void {
    const words = 'Copies in the bucket were missing or altered. Slipway makes them again.'
    if (missing + altered > 0) this.deps.log.warn({ missing, altered }, words)
  }

  /**
   * Asks for one copy and counts what it finds: nothing of a copy that is no longer wanted, or
   * whose question is rejected.
   */
  async #check({ bucket, signal }: Access, blobId: string, findings: Findings, readsData = false) {
    const before = this.deps.store.find(blobId)
    if (before?.state !== 'there') return

    signal.throwIfAborted()
    const object = await bucket.head(blobId, signal).catch(nullIfRejected)
    if (object === null) return

    const hasBytes = async () =>
      !readsData || (await bucket.hash(blobId, before.size, signal)) === before.sha256
    const isWhole = isAsRecorded(before, object) && (await hasBytes())

    signal.throwIfAborted()
    // A copy that changed concurrently is compared the next time.
    if (this.deps.store.find(blobId) !== before) return
    findings[isWhole ? 'whole' : object === undefined ? 'missing' : 'altered']++

    if (isWhole) return
    // Delete it now, because addresses that were given out lead there.
    if (object !== undefined) await bucket.remove(blobId)
    await this.deps.copying.lost(before)
  }
}

/** By the ETag, which follows from the bytes of all parts. */
const isAsRecorded = (copy?: CopyRecord, object?: Pick<ListedObject, 'size' | 'etag'>): boolean =>
  copy !== undefined && copy.size === object?.size && copy.etag === object.etag
