import type { BuildWarning } from '../../../../server/contract'
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
} from '../upload'
import { UploadStore, type Changes } from './upload-store'
import type { StoredPart, SendOptions } from '../transport/upload-transport'

export interface QueueDeps {
  send: (file: UploadSource, options: SendOptions) => Promise<Stored>
  link: (
    projectId: string,
    fileId: string,
    release: { version?: string; platform?: string },
  ) => Promise<readonly BuildWarning[]>
  setVisibility: (fileId: string, isPublic: boolean) => Promise<unknown>
  /**
   * Asks the host to discard a resumable upload. Failures are ignored: the host sweeps it later.
   */
  discard: (address: string) => void
  now: () => number
}

export const RESET_MS = 1500
const PROGRESS_EVERY_MS = 100

/** Sends uploads one at a time, independent of any page. */
export class UploadQueue {
  private readonly store = new UploadStore()
  private nextId = 1
  private cancelCurrent: AbortController | undefined
  private readonly meter = new TransferMeter()
  private readonly settled = new Set<(upload: Upload) => void>()

  constructor(private readonly deps: QueueDeps) {}

  readonly list = this.store.list
  readonly subscribe = this.store.subscribe

  /** Subscribes to ended uploads: done, failed or unlinked. */
  readonly onSettled = (listener: (upload: Upload) => void): (() => void) => {
    this.settled.add(listener)
    return () => this.settled.delete(listener)
  }

  /**
   * `storedParts`: what the host already has of a file. `isHeld`: each waits on the host until
   * `release`.
   */
  add(
    files: readonly UploadSource[],
    options: UploadOptions,
    storedParts: ReadonlyMap<UploadSource, StoredPart> = new Map(),
    isHeld = false,
  ): void {
    const added = files.map((file): Upload => {
      const part = storedParts.get(file)
      const start = part
        ? { sent: part.offset, keptAt: part.address, resumedFrom: part.offset }
        : { sent: 0 }

      return {
        id: this.nextId++,
        file,
        options,
        key: newUploadKey(),
        state: 'waiting',
        ...start,
        ...(isHeld && { isHeld }),
      }
    })

    this.store.replace([...this.list(), ...added])
    void this.work()
  }

  /**
   * Applies the decision to held uploads. A resumable one restarts with it, so that the host has
   * the decision even if this page closes.
   */
  release(ids: readonly number[], options: UploadOptions): void {
    for (const id of ids) {
      const upload = this.store.find(id)
      if (!upload) continue
      const isOther = JSON.stringify(upload.options) !== JSON.stringify(options)
      const restarts =
        isOther && upload.keptAt !== undefined && ['sending', 'interrupted'].includes(upload.state)
      const next = upload.state === 'ready' ? ({ state: 'waiting' } as const) : {}
      this.store.update(id, { options, isHeld: undefined, ...next })
      if (restarts) this.restart(id)
    }

    void this.work()
  }

  /** Sends the rest of a resumable upload by its present options. */
  private restart(id: number): void {
    this.store.update(id, { state: 'waiting' })
    this.stopCurrent()
  }

  readonly pause = (id: number): void => {
    const upload = this.store.find(id)
    if (!upload || !canPause(upload)) return
    this.store.update(id, { state: 'paused', rate: undefined, error: undefined })
    if (isTransferring(upload)) this.stopCurrent()
  }

  /** Resumes a paused upload, or retries an interrupted, failed or unlinked one. */
  readonly resume = (id: number): void => {
    const upload = this.store.find(id)
    if (!upload) return
    this.store.update(id, {
      state: 'waiting',
      sent: upload.keptAt ? upload.sent : 0,
      error: undefined,
    })
    if (upload.state === 'interrupted') this.stopCurrent()
    void this.work()
  }

  /**
   * Stops and removes an upload. Discards its bytes on the host, unless it failed or `keeps`: then
   * it can be resumed later.
   */
  readonly remove = (id: number, keeps = false): void => {
    const upload = this.store.find(id)
    this.store.replace(this.list().filter((other) => other.id !== id))
    if (!upload) return
    if (isTransferring(upload)) this.stopCurrent()
    if (upload.keptAt && isUnfinished(upload) && !keeps) this.deps.discard(upload.keptAt)
  }

  /** Hides a finished upload. It counts in the totals until the queue is empty. */
  retire(id: number): void {
    this.store.update(id, { retired: true })
    if (!this.list().some(isUnfinished))
      this.store.replace(this.list().filter(({ retired }) => !retired))
  }

  readonly clear = (): void => {
    this.store.replace([])
    this.stopCurrent()
  }

  /** Lets the rate of a stalled transfer fall. */
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
    // The person may have decided during the request.
    const current = this.store.find(upload.id)
    if (!stored || !current || signal.aborted) return
    if (current.isHeld)
      this.store.update(upload.id, { state: 'ready', stored, sent: upload.file.size })
    else await this.finish(current, stored)
  }

  /**
   * Completes what the upload call did not do: sets the visibility, and adds the file to its
   * project.
   */
  private async finish({ id, file, options }: Upload, stored: Stored): Promise<void> {
    const { isPublic, project, version, platform } = options
    const sent = file.size
    const isLinked = !project || project.id === stored.linkedTo
    if (!isLinked) this.store.update(id, { state: 'linking', stored, sent })

    try {
      if ((stored.is_public ?? false) !== isPublic)
        await this.deps.setVisibility(stored.file_id, isPublic)
      const release = { ...(version ? { version } : {}), ...(platform ? { platform } : {}) }
      const warnings = isLinked
        ? stored.warnings
        : await this.deps.link(project.id, stored.file_id, release)
      this.settle(id, { state: 'done', stored, sent, warnings })
    } catch (cause) {
      this.settle(id, { state: 'unlinked', stored, sent, error: asApiError(cause) })
    }
  }

  private async transfer({ id, file, options, key, sent, keptAt }: Upload, signal: AbortSignal) {
    this.store.update(id, { state: 'sending', sent, rate: undefined })
    const report = { ...this.reports(id, file.size, options), signal }
    try {
      return await this.deps.send(file, { options, key, ...(keptAt ? { keptAt } : {}), ...report })
    } catch (cause) {
      if (!signal.aborted) this.fail(id, asApiError(cause))
      return undefined
    }
  }

  /** An expired session is no failure: the upload waits for its owner to sign in again. */
  private fail(id: number, error: ApiError): void {
    const isGone = error.code === 'not_found' || error.field === 'file'
    const restart = isGone ? { keptAt: undefined, resumedFrom: undefined, sent: 0 } : {}
    this.settle(id, {
      state: error.status === 401 ? 'paused' : 'failed',
      rate: undefined,
      error,
      ...restart,
    })
  }

  private reports(
    id: number,
    size: number,
    options: UploadOptions,
  ): Pick<SendOptions, 'onKept' | 'onInPlace' | 'onProgress' | 'onInterrupted'> {
    let before = 0
    let shownAt = -Infinity

    return {
      onKept: ({ address, offset }) => {
        const upload = this.store.find(id)
        if (!upload) return this.deps.discard(address)
        before = offset
        const resumed = offset > 0 && upload.sent === 0 ? { resumedFrom: offset } : {}
        this.store.update(id, { keptAt: address, sent: offset, ...resumed })
        // The person decided before the host had the upload.
        if (upload.options !== options) this.restart(id)
      },
      onInPlace: () => void this.store.update(id, { isInPlace: true }),
      // At most ten times a second, and immediately for the last byte.
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
