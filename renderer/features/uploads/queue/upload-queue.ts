import { ApiError } from '../../../lib/client/api-client'
import { TransferMeter } from '../transport/transfer-rate'
import {
  canPause,
  isTransferring,
  isUnfinished,
  newUploadKey,
  type Stored,
  type Upload,
  type UploadOptions,
  type UploadSource,
} from './upload'
import { UploadStore, type Changes } from './upload-store'
import type { Kept, SendOptions } from '../transport/upload-transport'

export interface QueueDeps {
  send: (file: UploadSource, options: SendOptions) => Promise<Stored>
  link: (projectId: string, fileId: string, release: { version?: string; platform?: string }) => Promise<unknown>
  /** Tells the host to forget what it keeps of an upload. Its failure changes nothing: the host sweeps by itself. */
  discard: (address: string) => void
  /** Milliseconds of a clock that never goes back. */
  now: () => number
}

/** How long a finished upload stays in view before its row gives way to the reloaded list. */
export const RESET_MS = 1500
const PROGRESS_EVERY_MS = 100

/** Uploads, one after the other, apart from any page: leaving a page does not end them. */
export class UploadQueue {
  private readonly store = new UploadStore()
  private nextId = 1
  private cancelCurrent: AbortController | undefined
  private readonly meter = new TransferMeter()
  private readonly settled = new Set<(upload: Upload) => void>()

  constructor(private readonly deps: QueueDeps) {}

  readonly list = this.store.list
  readonly subscribe = this.store.subscribe

  /** Calls back with each upload that ended: done, failed or unlinked. */
  readonly onSettled = (listener: (upload: Upload) => void): (() => void) => {
    this.settled.add(listener)
    return () => this.settled.delete(listener)
  }

  /** `kept`: what the host has already of a file. */
  add(files: readonly UploadSource[], options: UploadOptions, kept: ReadonlyMap<UploadSource, Kept> = new Map()): void {
    const added = files.map((file): Upload => {
      const part = kept.get(file)
      const start = part ? { sent: part.offset, keptAt: part.address, resumedFrom: part.offset } : { sent: 0 }
      return { id: this.nextId++, file, options, key: newUploadKey(), state: 'waiting', ...start }
    })
    this.store.replace([...this.list(), ...added])
    void this.work()
  }

  /** Stops an upload until `resume`. Those behind it go on. */
  readonly pause = (id: number): void => {
    const upload = this.store.find(id)
    if (!upload || !canPause(upload)) return
    this.store.update(id, { state: 'paused', rate: undefined, error: undefined })
    if (isTransferring(upload)) this.stopCurrent()
  }

  /** Goes on with what is paused, tries at once what is interrupted, and again what failed or could not be added. */
  readonly resume = (id: number): void => {
    const upload = this.store.find(id)
    if (!upload) return
    this.store.update(id, { state: 'waiting', sent: upload.keptAt ? upload.sent : 0, error: undefined })
    if (upload.state === 'interrupted') this.stopCurrent()
    void this.work()
  }

  /** Stops an upload, running or not, and forgets it. What the host has of it goes, unless it failed: that can wait. */
  readonly remove = (id: number): void => {
    const upload = this.store.find(id)
    this.store.replace(this.list().filter((other) => other.id !== id))
    if (!upload) return
    if (isTransferring(upload)) this.stopCurrent()
    if (upload.keptAt && isUnfinished(upload)) this.deps.discard(upload.keptAt)
  }

  /** Takes a finished upload out of view. It counts in the totals until the whole queue is through. */
  retire(id: number): void {
    this.store.update(id, { retired: true })
    if (!this.list().some(isUnfinished)) this.store.replace(this.list().filter(({ retired }) => !retired))
  }

  /** Stops and forgets everything: the person signed out. What the host keeps stays there for another time. */
  readonly clear = (): void => {
    this.store.replace([])
    this.stopCurrent()
  }

  /** Looks at the clock, so that a transfer that stands still does not go on claiming a speed. */
  readonly tick = (): void => {
    const current = this.list().find(({ state }) => state === 'sending')
    if (!current) return
    this.meter.note(this.deps.now(), 0)
    this.store.update(current.id, { rate: this.meter.rate })
  }

  private stopCurrent(): void {
    this.meter.reset()
    this.cancelCurrent?.abort()
  }

  private async work(): Promise<void> {
    if (this.cancelCurrent) return
    for (let next = this.next(); next; next = this.next()) {
      this.cancelCurrent = new AbortController()
      await this.process(next, this.cancelCurrent.signal)
    }
    this.cancelCurrent = undefined
    this.meter.reset()
  }

  private next = () => this.list().find(({ state }) => state === 'waiting')

  private async process(upload: Upload, signal: AbortSignal): Promise<void> {
    const stored = upload.stored ?? (await this.transfer(upload, signal))
    if (!stored || signal.aborted) return
    const { project, version, platform } = upload.options
    if (!project || project.id === stored.linkedTo)
      return this.settle(upload.id, { state: 'done', stored, sent: upload.file.size })
    this.store.update(upload.id, { state: 'linking', stored, sent: upload.file.size })
    const release = { ...(version ? { version } : {}), ...(platform ? { platform } : {}) }
    await this.deps.link(project.id, stored.file_id, release).then(
      () => this.settle(upload.id, { state: 'done' }),
      (cause: unknown) => this.settle(upload.id, { state: 'unlinked', error: asApiError(cause) }),
    )
  }

  private async transfer({ id, file, options, key, sent, keptAt }: Upload, signal: AbortSignal) {
    this.store.update(id, { state: 'sending', sent, rate: undefined })
    const report = { ...this.reports(id, file.size), signal }
    try {
      return await this.deps.send(file, { options, key, ...(keptAt ? { keptAt } : {}), ...report })
    } catch (cause) {
      if (!signal.aborted) this.fail(id, asApiError(cause))
      return undefined
    }
  }

  /** A session that ended is no failure: the upload waits for its owner to sign in again. */
  private fail(id: number, error: ApiError): void {
    const isGone = error.code === 'not_found' || error.field === 'file'
    const restart = isGone ? { keptAt: undefined, resumedFrom: undefined, sent: 0 } : {}
    this.settle(id, { state: error.status === 401 ? 'paused' : 'failed', rate: undefined, error, ...restart })
  }

  private reports(
    id: number,
    size: number,
  ): Pick<SendOptions, 'onKept' | 'onInPlace' | 'onProgress' | 'onInterrupted'> {
    let [before, shownAt] = [0, -Infinity]
    return {
      onKept: ({ address, offset }) => {
        const upload = this.store.find(id)
        if (!upload) return this.deps.discard(address)
        before = offset
        const resumed = offset > 0 && upload.sent === 0 ? { resumedFrom: offset } : {}
        this.store.update(id, { keptAt: address, sent: offset, ...resumed })
      },
      onInPlace: () => void this.store.update(id, { isInPlace: true }),
      // Ten times a second at most, and the last byte at once.
      onProgress: (sent) => {
        const at = this.deps.now()
        if (sent < size && at - shownAt < PROGRESS_EVERY_MS) return
        this.meter.note(at, sent - before)
        ;[before, shownAt] = [sent, at]
        this.store.update(id, {
          state: sent < size ? 'sending' : 'checking',
          sent,
          rate: this.meter.rate,
          error: undefined,
        })
      },
      onInterrupted: (error) => {
        before = 0
        this.meter.reset()
        this.store.update(id, { state: 'interrupted', rate: undefined, error })
      },
    }
  }

  private settle(id: number, news: Changes): void {
    const upload = this.store.update(id, news)
    if (upload) for (const listener of this.settled) listener(upload)
  }
}

function asApiError(cause: unknown): ApiError {
  return cause instanceof ApiError ? cause : new ApiError('internal', 'Upload failed', 0)
}
