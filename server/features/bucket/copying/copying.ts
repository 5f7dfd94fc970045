import type { Log } from '../../../core/logging/log'
import type { Bucket } from '../../../data/bucket/copies/bucket'
import { BucketError, DamagedError } from '../../../data/bucket/bucket-error'
import type { CopyRecord, FileRecord } from '../../../data/records/file-records'
import { decideWork } from '../copy-states'
import { type CopyStore, isWholeCopy } from '../copy-store'
import type { Health } from '../health'
import { copyFile, type CopyFileDeps } from './copy-file'
import { RetryTimes } from './retry-times'
import { type WantedDeps, WantedFiles } from './wanted-files'
import { setTimeout as pause } from 'node:timers/promises'

/*
 * Keeps the copies in the bucket as the files in the library want them.
 *
 * The library says which files want a copy (`WantedFiles`), and the records say which copies there
 * are (`CopyStore`). Whenever one of them changes for a blob, `#follow` asks `decideWork` what is
 * to be done, and gives the blob a job. So a blob has at most one job: its copy is made, or
 * deleted, never both.
 *
 * - A copy that is no longer wanted: its job is replaced by a deletion, which aborts the upload and
 *   waits for its end. From that moment on `isServable` says no, before anything is on disk.
 * - A file that is wanted again while its copy is deleted: the deletion ends first, and what
 *   follows is decided then.
 * - Two copies are made at once, the newest file first. Each file that fails has its own waits.
 * - Four copies are deleted at once, the newest request first: a file that was made private a
 *   second ago must not wait for ten thousand others. Deletions that fail wait together, because
 *   the others would fail too; a new one is tried at once all the same.
 *
 * Nothing here needs to survive a restart: the next start compares all records with all files.
 */

/** How many copies are made, and how many are deleted, at once. */
const MOST = { copy: 2, delete: 4 }

/** In `RetryTimes`, where the other names are blob IDs. */
const DELETIONS = 'deletions'

/** What copying needs of the rest of the host. */
export interface CopyingDeps extends CopyFileDeps, Omit<WantedDeps, 'changed'> {
  store: CopyStore
  log: Pick<Log, 'info' | 'warn'>
  health: Pick<Health, 'mayCopy' | 'worked' | 'failed'>
  /** Called when the last copy of all has been deleted. */
  emptied: () => void
}

/** The bucket that is set up, and how records name it. */
interface Target {
  bucket: Bucket
  place: string
}

/** What is done about the copy of one blob. */
interface Job {
  work: 'copy' | 'delete'
  /** Undefined for a deletion. */
  file?: FileRecord
  sent: number
  ending: AbortController
  /** Undefined until it runs. */
  ended?: Promise<void>
  /** The end of the copy that a deletion has replaced. */
  copied?: Promise<void> | undefined
}

/** Makes and deletes the copies in the bucket. */
export class Copying {
  readonly wanted: WantedFiles
  readonly #jobs = new Map<string, Job>()
  readonly #running = { copy: 0, delete: 0 }
  /** Deletions to try now; the last one comes first. */
  #due: string[] = []
  /** Deletions to try after the wait. */
  #failed: string[] = []
  readonly #retries: RetryTimes
  #target: Target | undefined
  /** Whether all files were looked at: only then is it known which one is the newest. */
  #isCompared = false

  constructor(private readonly deps: CopyingDeps) {
    this.wanted = new WantedFiles({ ...deps, changed: (blobId) => this.#follow(blobId) })
    this.#retries = new RetryTimes(() => this.look())
  }

  /** Files that wait or are being copied. */
  get left(): number {
    let left = 0
    for (const { work } of this.#jobs.values()) left += Number(work === 'copy')
    return left
  }

  /** The files that are being copied. */
  running(): { file: FileRecord; sent: number }[] {
    return [...this.#jobs.values()].flatMap(({ file, sent, ended }) =>
      file && ended ? [{ file, sent }] : [],
    )
  }

  /**
   * Compares all copies with all files, and begins to copy and to delete. Copies in other places
   * are forgotten. Without `leastBytes` no file wants a copy, so all are deleted.
   */
  async start(target: Target, leastBytes = Infinity): Promise<void> {
    this.#target = target
    await this.#forgetOthers(target.place)
    if (leastBytes !== Infinity) await this.wanted.start(leastBytes)
    // The settings changed again while it looked at the files.
    if (this.#target !== target) return

    this.#isCompared = true
    for (const { id } of this.deps.store.all()) this.#follow(id)
    this.look()
    if (this.deps.store.size === 0) this.deps.emptied()
  }

  /**
   * Stops all copies. Their parts stay, and a start resumes them. A running deletion may still
   * end, which changes nothing any more.
   */
  async stop(): Promise<void> {
    this.#target = undefined
    this.#isCompared = false
    this.wanted.stop()
    this.#retries.clear()

    const jobs = [...this.#jobs.values()]
    this.#jobs.clear()
    this.#due = []
    this.#failed = []

    for (const { ending } of jobs) ending.abort()
    const copies = jobs.map(({ work, ended, copied }) => (work === 'copy' ? ended : copied))
    await Promise.all(copies.filter((copy) => copy !== undefined))
  }

  /** Whether a visitor may have the copy of this file at this moment. */
  isServable(file: Pick<FileRecord, 'id' | 'blobId' | 'sha256'>): boolean {
    const copy = this.deps.store.find(file.blobId)
    if (!isWholeCopy(copy, file, this.#target?.place)) return false
    return this.#jobs.get(file.blobId)?.work !== 'delete' && this.wanted.isWanted(file)
  }

  /** Whether a copy of this blob belongs into the bucket. */
  wants(blobId: string): boolean {
    const copy = this.deps.store.find(blobId)
    return copy ? copy.state !== 'damaged' : this.wanted.find(blobId) !== undefined
  }

  /** Makes a copy again that the bucket has lost. */
  async lost({ id }: Pick<CopyRecord, 'id'>): Promise<void> {
    await this.deps.store.lose(id)
    this.#follow(id)
  }

  /** Retries now what has failed: what prevented it is over. */
  hurry(): void {
    this.#retries.hurry()
  }

  /** Begins jobs while there is room. Call it when what they wait for may have changed. */
  look(): void {
    const target = this.#target
    if (target === undefined) return

    if (this.#failed.length > 0 && this.#retries.isDue(DELETIONS)) {
      this.#due = this.#failed.concat(this.#due)
      this.#failed = []
    }
    while (this.#due.length > 0 && this.#running.delete < MOST.delete)
      this.#begin(this.#due.pop() ?? '', target)

    while (this.#isCompared && this.#running.copy < MOST.copy && this.deps.health.mayCopy) {
      const next = this.#newest()
      if (next === undefined) return
      this.#begin(next.blobId, target)
    }
  }

  #follow(blobId: string): void {
    const job = this.#jobs.get(blobId)
    // It ends first, and asks again.
    if (job?.work === 'delete') return

    const file = this.wanted.find(blobId)
    const work = decideWork(this.deps.store.find(blobId), file)
    if (work === 'delete') this.#delete(blobId, job)
    else if (work === 'copy' && file) {
      if (job === undefined) this.#jobs.set(blobId, newJob('copy', file))
    } else if (job !== undefined) this.#cancel(blobId, job)

    this.look()
  }

  #delete(blobId: string, copying: Job | undefined): void {
    copying?.ending.abort()
    this.#retries.forget(blobId)
    this.#jobs.set(blobId, { ...newJob('delete'), copied: copying?.ended })
    this.#due.push(blobId)
    // If the disk refuses this, the next start finds a copy of a file that wants none.
    void this.deps.store.revoke(blobId).catch(() => undefined)
  }

  /** No file wants the copy any more, and there is no record of it yet. */
  #cancel(blobId: string, job: Job): void {
    this.#retries.forget(blobId)
    job.ending.abort()
    if (job.ended === undefined) this.#jobs.delete(blobId)
  }

  #newest(): FileRecord | undefined {
    let newest: FileRecord | undefined
    for (const { file, ended } of this.#jobs.values()) {
      if (file === undefined || ended !== undefined) continue
      if (newest && newest.uploadedAt >= file.uploadedAt) continue
      if (this.#retries.isDue(file.blobId)) newest = file
    }
    return newest
  }

  #begin(blobId: string, target: Target): void {
    const job = this.#jobs.get(blobId)
    if (job === undefined) return

    // Running copies are listed in the order in which they began.
    this.#jobs.delete(blobId)
    this.#jobs.set(blobId, job)

    this.#running[job.work]++
    job.ended = this.#run(blobId, job, target).finally(() => {
      this.#running[job.work]--
      this.look()
    })
  }

  async #run(blobId: string, job: Job, target: Target): Promise<void> {
    const { signal } = job.ending
    try {
      if (job.file) await this.#copy(job.file, job, target)
      else await this.#remove(blobId, job, target)
    } catch (error) {
      if (!signal.aborted) return this.#fail(blobId, job, error)
    }

    // Another job has replaced it, or all were stopped.
    if (this.#jobs.get(blobId) !== job) return
    this.#jobs.delete(blobId)
    this.#retries.forget(blobId)
    if (job.work === 'delete') this.#retries.succeeded(DELETIONS)
    if (job.work === 'delete' || signal.aborted) this.#follow(blobId)

    if (job.work === 'delete' && this.deps.store.size === 0) this.deps.emptied()
  }

  async #copy(file: FileRecord, job: Job, { bucket, place }: Target): Promise<void> {
    const { signal } = job.ending
    const onSent = (sent: number) => void (job.sent = sent)
    try {
      await copyFile(this.deps, { file, bucket, place, signal, onSent })
    } catch (error) {
      if (signal.aborted || !(error instanceof DamagedError)) throw error
      await this.#recordDamage(file)
    }
  }

  async #remove(blobId: string, { copied, ending }: Job, { bucket }: Target): Promise<void> {
    const { store } = this.deps
    const { signal } = ending
    await copied
    await deleteCopy(bucket, { blobId, uploadId: store.find(blobId)?.uploadId, copied, signal })
    if (!signal.aborted) await store.forget([blobId])
  }

  async #recordDamage({ blobId, filename, size }: FileRecord): Promise<void> {
    const { store, log } = this.deps
    log.warn(
      { filename, size, blobId },
      'the bytes of a file on disk differ from the upload, so it was not copied',
    )
    await store
      .damage(blobId)
      .catch((err: unknown) => log.warn({ err, blobId }, 'cannot record a damaged file'))
  }

  #fail(blobId: string, job: Job, err: unknown): void {
    const { store, log, health } = this.deps
    delete job.ended

    if (job.file !== undefined) {
      if (this.#retries.failed(blobId) === 1)
        log.warn({ err, filename: job.file.filename }, 'copying a file to the bucket failed')
    } else {
      this.#failed.push(blobId)
      // The others would fail too, unless the bucket rejected this one.
      if (err instanceof BucketError && err.kind !== 'rejected')
        this.#failed = this.#failed.concat(this.#due.splice(0))
      if (this.#retries.isDue(DELETIONS) && this.#retries.failed(DELETIONS) === 1)
        log.warn({ err, blobId }, 'cannot delete a copy from the bucket yet')
    }

    health.failed(err)
    // A disk that refuses changes has its own notices.
    void store.recordFailure(blobId).catch(() => undefined)
  }

  async #forgetOthers(place: string): Promise<void> {
    const { store, log } = this.deps
    const others = store.all().filter((copy) => copy.place !== place)
    if (others.length === 0) return
    log.warn(
      { copies: others.length },
      'the settings name another bucket: copies in the old one stay there',
    )
    await store.forget(others.map(({ id }) => id))
  }
}

const newJob = (work: Job['work'], file?: FileRecord): Job => ({
  work,
  ...(file && { file }),
  sent: 0,
  ending: new AbortController(),
})

/**
 * The bucket may complete a copy that was stopped a moment ago: it is looked at again after this
 * time, in ms.
 */
const LATE_MS = 2000

interface Task {
  blobId: string
  uploadId: string | null | undefined
  /** The end of copying, where a copy was on its way. */
  copied: Promise<void> | undefined
  signal: AbortSignal
}

/** Deletes a copy and what is left of its upload. Throws BucketError. */
async function deleteCopy(
  bucket: Pick<Bucket, 'remove' | 'abandon' | 'head' | 'unfinished'>,
  { blobId, uploadId, copied, signal }: Task,
): Promise<void> {
  if (uploadId) await bucket.abandon(blobId, uploadId)
  await bucket.remove(blobId)
  if (copied === undefined) return

  await pause(LATE_MS, undefined, { signal, ref: false })
  if (await bucket.head(blobId)) await bucket.remove(blobId)
  // Its upload may have begun without an answer. A key that may not list leaves it to the
  // provider's rules.
  await endUploads(blobId, bucket).catch(() => undefined)
}

async function endUploads(blobId: string, bucket: Pick<Bucket, 'abandon' | 'unfinished'>) {
  for await (const upload of bucket.unfinished()) {
    if (upload.blobId === blobId) await bucket.abandon(blobId, upload.uploadId)
  }
}
