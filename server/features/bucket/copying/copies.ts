import type { ByteSource } from '../../../core/byte-source'
import type { Log } from '../../../core/logging/log'
import type { Bucket } from '../../../data/bucket/copies/bucket'
import type { Source } from '../../../data/bucket/copies/copy'
import { PART_BYTES } from '../../../data/bucket/multipart-writer'
import { DamagedError } from '../../../data/bucket/bucket-error'
import type { CopyPace } from './copy-pace'
import type { CopyStore } from '../copy-store'
import type { BucketUsage } from '../usage'
import { RetryTimes } from './retry-times'
import type { FileRecord } from '../../../data/records/file-records'

/** How many files are copied at once. */
const AT_ONCE = 2

/** What copies need of the rest of the host. */
export interface CopiesDeps {
  store: CopyStore
  usage: Pick<BucketUsage, 'copied'>
  log: Pick<Log, 'warn'>
  pace: CopyPace
  open: (blobId: string) => Promise<ByteSource>
  /**
   * Copies a blob inside the bucket that is set up now, if that is where it is; undefined: it is
   * elsewhere.
   */
  copyInside?: ((blob: Pick<FileRecord, 'blobId' | 'size'>) => Source['copyInside']) | undefined
  /** Marks the copies as those of this host. */
  owner: () => string
  /** Whether to try the bucket now. */
  mayCopy: () => boolean
  worked: () => void
  failed: (error: unknown) => void
  /** Whether the copy of this blob is being deleted: it is copied again afterwards. */
  isRevoking: (blobId: string) => boolean
}

/** A copy on its way. */
interface Running {
  file: FileRecord
  sent: number
  ending: AbortController
  ended: Promise<void>
}

/** The bucket to which files are copied. */
export interface Target {
  bucket: Pick<Bucket, 'copy'>
  place: string
}

/**
 * Copies wanted files to the bucket, two at once, newest first. Each part is written down, so that
 * a restart resumes.
 */
export class Copies {
  readonly #pending = new Map<string, FileRecord>()
  readonly #running = new Map<string, Running>()
  readonly #retries: RetryTimes
  #target: Target | undefined

  constructor(private readonly deps: CopiesDeps) {
    this.#retries = new RetryTimes(() => this.look())
  }

  /** Files that wait or are being copied. */
  get left(): number {
    return this.#pending.size
  }

  running(): { file: FileRecord; sent: number }[] {
    return [...this.#running.values()].map(({ file, sent }) => ({ file, sent }))
  }

  start(target: Target): void {
    this.#target = target
    this.look()
  }

  want(file: FileRecord): void {
    this.#pending.set(file.blobId, file)
    this.look()
  }

  /**
   * Stops copying a file. Resolves when nothing of it runs any more; true: its copy was on its way.
   */
  async cancel(blobId: string): Promise<boolean> {
    this.#pending.delete(blobId)
    this.#retries.forget(blobId)
    const running = this.#running.get(blobId)
    running?.ending.abort()
    await running?.ended
    return running !== undefined
  }

  /** Stops all copies. Their parts stay, and a start resumes them. */
  async stop(): Promise<void> {
    this.#target = undefined
    this.#retries.clear()
    await Promise.all([...this.#pending.keys()].map((blobId) => this.cancel(blobId)))
  }

  /** Retries now what has failed. */
  hurry(): void {
    this.#retries.hurry()
  }

  /**
   * Begins copies while there is room. Call it when something that they wait for may have changed.
   */
  look(): void {
    while (this.#target && this.#running.size < AT_ONCE && this.deps.mayCopy()) {
      const next = this.#next()
      if (next === undefined) return
      this.#begin(next, this.#target)
    }
  }

  #next(): FileRecord | undefined {
    let newest: FileRecord | undefined
    for (const file of this.#pending.values()) {
      if (newest && newest.uploadedAt >= file.uploadedAt) continue
      const { blobId } = file
      if (
        !this.#running.has(blobId) &&
        this.#retries.isDue(blobId) &&
        !this.deps.isRevoking(blobId)
      )
        newest = file
    }
    return newest
  }

  #begin(file: FileRecord, target: Target): void {
    const running: Running = {
      file,
      sent: 0,
      ending: new AbortController(),
      ended: Promise.resolve(),
    }
    this.#running.set(file.blobId, running)
    running.ended = this.#run(running, target).finally(() => {
      this.#running.delete(file.blobId)
      this.look()
    })
  }

  async #run(running: Running, target: Target): Promise<void> {
    const { blobId } = running.file
    try {
      await this.#copy(running, target)
      this.#pending.delete(blobId)
      this.#retries.forget(blobId)
    } catch (error) {
      if (running.ending.signal.aborted) return
      if (error instanceof DamagedError) await this.#damaged(running.file)
      else this.#failed(running.file, error)
    }
  }

  async #copy(running: Running, { bucket, place }: Target): Promise<void> {
    const { store, usage, pace, open, copyInside, owner, worked } = this.deps
    const { file, ending } = running
    const { blobId, size, sha256, filename } = file
    const { signal } = ending
    const { uploadId, parts } = await store.begin({ ...file, fileId: file.id }, place)
    const state = { ...(uploadId === null ? {} : { uploadId }), parts }
    running.sent = Math.min(parts.length * PART_BYTES, size)
    const own = pace.begin(blobId, signal)
    signal.addEventListener('abort', own.end)
    try {
      const about = {
        blobId,
        size,
        sha256,
        filename,
        type: 'application/octet-stream',
        owner: owner(),
      }
      const source = { ...about, open: () => open(blobId), copyInside: copyInside?.(file) }
      const { etag } = await bucket.copy(source, state, {
        signal,
        pace: own.take,
        hasVisitors: pace.hasVisitors,
        onPart: async (now, sent) => {
          if (signal.aborted) return
          usage.copied(
            Math.max(0, sent - Math.max(running.sent, (now.parts.length - 1) * PART_BYTES)),
          )
          running.sent = sent
          await store.keepParts(blobId, now.uploadId ?? null, now.parts)
          worked()
        },
      })
      if (!signal.aborted) await store.finish(blobId, etag)
      worked()
    } finally {
      own.end()
    }
  }

  async #damaged({ blobId, filename, size }: FileRecord): Promise<void> {
    const { store, log } = this.deps
    this.#pending.delete(blobId)
    log.warn(
      { filename, size, blobId },
      'the bytes of a file on disk differ from the upload, so it was not copied',
    )
    await store
      .damaged(blobId)
      .catch((err: unknown) => log.warn({ err, blobId }, 'cannot record a damaged file'))
  }

  #failed({ blobId, filename }: FileRecord, err: unknown): void {
    const { store, log, failed } = this.deps
    if (this.#retries.failed(blobId) === 1)
      log.warn({ err, filename }, 'copying a file to the bucket failed')
    failed(err)
    // A disk that refuses changes has its own notices.
    void store.failing(blobId).catch(() => undefined)
  }
}
