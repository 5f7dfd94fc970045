import type { MirrorView } from '../../contract/host/bucket'
import { DAY_MS, type Clock } from '../../core/clock'
import { AppError } from '../../core/errors'
import type { Log } from '../../core/logging/log'
import type { Bucket } from '../../data/bucket/bucket'
import { BucketError } from '../../data/bucket/bucket-error'
import type { Library } from '../../data/library/library'
import { CheckRecord, type Found } from './check-record'
import type { Health } from './health'
import { tidyBucket } from './tidy-bucket'
import type { MirroredRecord } from '../../data/records/file-records'

/** How often to look at the copies to which visitors were redirected, in ms. */
const RECENT_MS = 3_600_000
/** A daily check asks for one copy at each look, or for so many that it takes this many looks. */
const LOOKS = 3600
/** How often to keep the progress of a daily check, in ms. */
const KEEP_MS = 60_000

type CheckedBucket = Pick<Bucket, 'head' | 'hash' | 'remove' | 'abandon' | 'list' | 'unfinished'>

interface Needs {
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  library: Pick<Library, 'counter' | 'count'>
  /** Marks the copies of this host. */
  owner: () => string
  health: Pick<Health, 'isFailing' | 'failed'>
  /** Undefined while none is set up. */
  bucket: () => CheckedBucket | undefined
  /** All whole copies in this bucket. */
  copies: () => readonly MirroredRecord[]
  find: (blobId: string) => MirroredRecord | undefined
  /** Whether a record, or a file that waits for its copy, wants an object. */
  wants: (blobId: string) => boolean
  /** Forgets a copy that is missing or altered, and makes it again. */
  lost: (copy: MirroredRecord) => Promise<void>
}

/** One look at all copies. */
interface Pass extends Found {
  /** In ascending order. */
  ids: readonly string[]
  done: number
  /** Reads and hashes each copy too. */
  readData: boolean
  /** Without pauses. Otherwise the requests are spread, and a restart resumes the pass. */
  isUrgent: boolean
}

/**
 * Compares the copies in the bucket with their records: all of them once a day, those to which visitors were redirected
 * once an hour, and all of them at once when a person asks or one was missing. Has missing and altered ones made again.
 */
export class CheckCopies {
  readonly #record: CheckRecord
  #pass: Pass | undefined
  /** Copies to which visitors were redirected, and those of the hour before that wait for their check. */
  readonly #redirected = new Set<string>()
  #recent: string[] = []
  #recentAt: number
  #keepAt = 0
  #looking: Promise<void> | undefined
  #closing = new AbortController()

  constructor(private readonly needs: Needs) {
    this.#record = new CheckRecord(needs.library)
    this.#recentAt = needs.clock.elapsed() + RECENT_MS
  }

  get view(): MirrorView['check'] {
    const running = this.#pass ? { done: this.#pass.done, total: this.#pass.ids.length } : null
    return { running, last: this.#record.last }
  }

  /** Takes that a visitor was redirected to this copy. */
  redirected(blobId: string): void {
    this.#redirected.add(blobId)
  }

  /** Starts to check all copies without pauses. Throws `in_progress` while such a check runs. */
  verify(readData: boolean): void {
    if (this.#pass?.isUrgent)
      throw new AppError('in_progress', 'The copies are being checked: wait until that finishes')
    this.#begin({ readData, isUrgent: true })
  }

  /** Handles a copy that the bucket does not have, and has all others checked, because people empty whole buckets. */
  async missed(blobId: string): Promise<void> {
    const copy = this.needs.find(blobId)
    if (copy?.state !== 'there') return
    await this.needs.lost(copy)
    this.#warn({ missing: 1, altered: 0 })
    if (!this.#pass?.isUrgent) this.#begin({ readData: false, isUrgent: true })
  }

  /** Does what is due. Call it every second. */
  async look(): Promise<void> {
    const bucket = this.needs.bucket()
    if (this.#looking || bucket === undefined || this.needs.health.isFailing) return
    this.#looking = this.#work(bucket)
    await this.#looking.finally(() => (this.#looking = undefined))
  }

  /** Forgets a running check: another bucket was set up. */
  reset(): void {
    this.#closing.abort()
    this.#closing = new AbortController()
    this.#pass = undefined
    this.#recent = []
    this.#redirected.clear()
  }

  /** Cuts a running check, and keeps how far it has come. */
  async stop(): Promise<void> {
    this.#closing.abort()
    this.#keep()
    await this.#looking?.catch(() => undefined)
  }

  async #work(bucket: CheckedBucket): Promise<void> {
    const { signal } = this.#closing
    try {
      this.#takeRecent()
      await this.#checkRecent(bucket, signal)
      if (!this.#pass && this.#isDue) this.#begin({ readData: false, isUrgent: false })
      if (this.#pass) await this.#advance(bucket, this.#pass, signal)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof BucketError)) throw error
      this.needs.health.failed(error)
    }
  }

  get #isDue(): boolean {
    const { last, unfinished } = this.#record
    if (last === null || unfinished) return true
    const age = this.needs.clock.now().getTime() - Date.parse(last.at)
    // A clock that was set back must not stop the checks.
    return age < 0 || age >= DAY_MS
  }

  #takeRecent(): void {
    const now = this.needs.clock.elapsed()
    if (now < this.#recentAt) return
    this.#recentAt = now + RECENT_MS
    this.#recent = [...this.#redirected]
    this.#redirected.clear()
  }

  async #checkRecent(bucket: CheckedBucket, signal: AbortSignal): Promise<void> {
    const lost = { missing: 0, altered: 0 }
    for (const blobId of this.#recent.splice(0, sliceOf(this.#recent.length))) {
      const found = await this.#check(bucket, blobId, signal)
      if (found === 'missing' || found === 'altered') lost[found]++
    }
    this.#warn(lost)
  }

  #begin({ readData, isUrgent }: Pick<Pass, 'readData' | 'isUrgent'>): void {
    const all = this.needs.copies().map(({ id }) => id)
    const before = isUrgent ? undefined : this.#record.unfinished
    const { isAfter = () => true, ...found } = before ?? { checked: 0, missing: 0, altered: 0 }
    this.#pass = { readData, isUrgent, ids: all.filter(isAfter).sort(), done: 0, ...found }
    this.#keepAt = this.needs.clock.elapsed() + KEEP_MS
  }

  async #advance(bucket: CheckedBucket, pass: Pass, signal: AbortSignal): Promise<void> {
    const end = pass.isUrgent ? pass.ids.length : pass.done + sliceOf(pass.ids.length)
    for (const blobId of pass.ids.slice(pass.done, end)) {
      const found = await this.#check(bucket, blobId, signal, pass.readData)
      // Another check began, or the host stops.
      if (signal.aborted || this.#pass !== pass) return
      pass.done++
      if (found) pass.checked++
      if (found === 'missing' || found === 'altered') pass[found]++
      if (this.needs.clock.elapsed() >= this.#keepAt) this.#keep()
    }
    if (pass.done < pass.ids.length) return
    await tidyBucket({ ...this.needs, bucket, now: this.needs.clock.now(), signal })
    if (!signal.aborted && this.#pass === pass) this.#finish(pass)
  }

  #finish({ checked, missing, altered }: Pass): void {
    this.#pass = undefined
    this.#record.finish(this.needs.clock.now(), { checked, missing, altered })
    this.#warn({ missing, altered })
  }

  #warn(lost: Pick<Found, 'missing' | 'altered'>): void {
    if (lost.missing + lost.altered === 0) return
    this.needs.log.warn(lost, 'Copies in the bucket were missing or altered. Slipway makes them again.')
  }

  #keep(): void {
    const pass = this.#pass
    const last = pass?.ids[pass.done - 1]
    if (!pass || pass.isUrgent || last === undefined) return
    this.#record.advance(last, pass)
    this.#keepAt = this.needs.clock.elapsed() + KEEP_MS
  }

  /** Undefined: the copy is no longer wanted. */
  async #check(
    bucket: CheckedBucket,
    blobId: string,
    signal: AbortSignal,
    readData = false,
  ): Promise<'whole' | 'missing' | 'altered' | undefined> {
    const before = this.needs.find(blobId)
    if (before?.state !== 'there' || signal.aborted) return undefined
    const found = await compare(bucket, before, signal, readData)
    signal.throwIfAborted()
    // What changed meanwhile is compared the next time.
    if (this.needs.find(blobId) !== before) return undefined
    // At once, because addresses that were given out lead there.
    if (found === 'altered') await bucket.remove(blobId)
    if (found !== 'whole') await this.needs.lost(before)
    return found
  }
}

const sliceOf = (count: number): number => Math.ceil(count / LOOKS)

async function compare(
  bucket: CheckedBucket,
  { id, size, etag, sha256 }: MirroredRecord,
  signal: AbortSignal,
  readData: boolean,
): Promise<'whole' | 'missing' | 'altered'> {
  const seen = await bucket.head(id, signal)
  if (seen === undefined) return 'missing'
  // Some stores drop metadata when an object is moved between classes.
  if (seen.size !== size || seen.etag !== etag || (seen.sha256 ?? sha256) !== sha256) return 'altered'
  if (readData && (await bucket.hash(id, size, signal)) !== sha256) return 'altered'
  return 'whole'
}
