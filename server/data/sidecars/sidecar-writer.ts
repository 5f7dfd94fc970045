import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../core/logging/log'
import type { Blobs } from '../blobs/blobs'
import { replaceFile, syncDir } from '../durable-file'
import { describeBlob, type Known } from './describe-blob'
import { encodeSidecar } from './sidecar'

/** So many are written at once, so that they share the work of the disk and leave room for others. */
const AT_ONCE = 4

interface WriterDeps {
  /** The folder of the data. */
  dir: string
  blobs: Blobs
  known: Known
  log: Log
}

/**
 * Keeps what stands beside each blob true. Changes are written behind, each blob once for all that has changed; whoever
 * publishes waits for its own. A crash in between is made good at the next start, which then looks at every blob.
 */
export class SidecarWriter {
  readonly #due = new Set<string>()
  readonly #running = new Map<string, Promise<void>>()
  readonly #marker: string
  #allTrue = false
  #failed = false
  #closed = false

  private constructor(private readonly deps: WriterDeps) {
    this.#marker = join(deps.dir, 'blobs', 'sidecars-are-true')
  }

  /** The last run says whether it left everything true. */
  static async open(deps: WriterDeps): Promise<SidecarWriter> {
    const writer = new SidecarWriter(deps)
    const isThere = await stat(writer.#marker).catch(() => undefined)
    writer.#allTrue = isThere !== undefined
    if (isThere) {
      await rm(writer.#marker)
      await syncDir(join(deps.dir, 'blobs'))
    }
    return writer
  }

  /** Something about the blob has changed. */
  changed(blobId: string): void {
    this.#due.add(blobId)
    queueMicrotask(() => this.#work())
  }

  /** Returns once what stands beside the blob is true and on disk. A failure is logged, and made good later. */
  async write(blobId: string): Promise<void> {
    while (this.#due.has(blobId) || this.#running.has(blobId)) await this.#start(blobId)
  }

  /** Looks at every blob, unless the last run left all of them true. */
  async check(blobIds: Iterable<string>): Promise<void> {
    if (this.#allTrue) return
    for (const blobId of blobIds) {
      if (this.#closed) return
      const sidecar = describeBlob(this.deps.known, blobId)
      const text = await this.deps.blobs.sidecars.read(blobId).catch(() => undefined)
      if (sidecar && text !== encodeSidecar(sidecar)) {
        this.#due.add(blobId)
        await this.write(blobId)
      }
    }
    this.#allTrue = true
  }

  /** Resolves once nothing is due. */
  async settled(): Promise<void> {
    this.#work()
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  /** Waits for all that is due, and leaves word for the next run. */
  async close(): Promise<void> {
    this.#closed = true
    await this.settled()
    const isTrue = this.#allTrue && !this.#failed
    if (isTrue) await replaceFile(this.#marker, '').catch((err: unknown) => this.#report(err))
  }

  #work(): void {
    for (const blobId of this.#due) {
      if (this.#running.size >= AT_ONCE) return
      void this.#start(blobId)
    }
  }

  #start(blobId: string): Promise<void> {
    const before = this.#running.get(blobId)
    if (before) return before
    const writing = this.#write(blobId)
      .catch((err: unknown) => this.#report(err))
      .then(() => {
        this.#running.delete(blobId)
        this.#work()
      })
    this.#running.set(blobId, writing)
    return writing
  }

  async #write(blobId: string): Promise<void> {
    const { blobs, known } = this.deps
    while (this.#due.delete(blobId)) {
      const sidecar = describeBlob(known, blobId)
      if (sidecar) await blobs.sidecars.write(blobId, encodeSidecar(sidecar))
    }
  }

  #report(err: unknown): void {
    if (!this.#failed) this.deps.log.error({ err }, 'cannot write the sidecar of a blob')
    this.#failed = true
  }
}
