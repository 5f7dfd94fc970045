import type { File as StoredFile } from '../../../server/contract'
import { ApiError } from '../../lib/api-client'
import { remember, rateOf, type Sample } from './transfer-rate'
import type { SendOptions } from './upload-request'

/** What the person chose for a batch of files. */
export interface UploadOptions {
  isPublic: boolean
  /** Where to add the files once they are stored. */
  project?: { id: string; title: string; isPublic: boolean }
  version?: string
  platform?: string
}

/**
 * waiting → sending → checking (all bytes are sent, the host has not answered) → linking → done.
 * `failed`: nothing was stored. `unlinked`: stored, but not added to the project.
 */
export type UploadState = 'waiting' | 'sending' | 'checking' | 'linking' | 'done' | 'failed' | 'unlinked'

export interface Upload {
  id: number
  file: File
  options: UploadOptions
  state: UploadState
  sent: number
  /** Bytes per second, once it is known. */
  rate?: number
  error?: ApiError
  stored?: StoredFile
}

export interface QueueDeps {
  send: (file: File, options: SendOptions) => Promise<StoredFile>
  link: (projectId: string, fileId: string, release: { version?: string; platform?: string }) => Promise<unknown>
  now: () => number
}

/** How long a finished upload stays in view before its row gives way to the reloaded list. */
export const RESET_MS = 1500
const PROGRESS_EVERY_MS = 100

/** Uploads, one after the other, apart from any page: leaving a page does not end them. */
export class UploadQueue {
  private uploads: readonly Upload[] = []
  private nextId = 1
  private cancelCurrent: AbortController | undefined
  private readonly watchers = new Set<() => void>()
  private readonly settled = new Set<(upload: Upload) => void>()

  constructor(private readonly deps: QueueDeps) {}

  /** The uploads in the order they were added. A new array after each change, the same one in between. */
  readonly list = (): readonly Upload[] => this.uploads

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  /** Calls back with each upload that ended: done, failed or unlinked. */
  readonly onSettled = (listener: (upload: Upload) => void): (() => void) => {
    this.settled.add(listener)
    return () => this.settled.delete(listener)
  }

  add(files: readonly File[], options: UploadOptions): void {
    const added = files.map((file): Upload => ({ id: this.nextId++, file, options, state: 'waiting', sent: 0 }))
    this.change([...this.uploads, ...added])
    void this.work()
  }

  /** Stops an upload, running or not, and forgets it. */
  remove(id: number): void {
    const running = this.uploads.find((upload) => upload.id === id && isTransferring(upload))
    this.change(this.uploads.filter((upload) => upload.id !== id))
    if (running) this.cancelCurrent?.abort()
  }

  /** Stops and forgets everything: the person signed out. */
  readonly clear = (): void => {
    this.change([])
    this.cancelCurrent?.abort()
  }

  /** Tries again what failed: the whole upload, or only adding it to its project. */
  retry(id: number): void {
    this.update(id, { state: 'waiting', sent: 0, error: undefined })
    void this.work()
  }

  private async work(): Promise<void> {
    if (this.cancelCurrent) return
    for (let next = this.next(); next; next = this.next()) {
      this.cancelCurrent = new AbortController()
      await this.process(next, this.cancelCurrent.signal)
    }
    this.cancelCurrent = undefined
  }

  private next = () => this.uploads.find(({ state }) => state === 'waiting')

  private async process(upload: Upload, signal: AbortSignal): Promise<void> {
    const stored = upload.stored ?? (await this.transfer(upload, signal))
    if (!stored || signal.aborted) return
    const { project, version, platform } = upload.options
    if (!project) return this.settle(upload.id, { state: 'done', stored, sent: upload.file.size })
    this.update(upload.id, { state: 'linking', stored, sent: upload.file.size })
    const release = { ...(version ? { version } : {}), ...(platform ? { platform } : {}) }
    await this.deps.link(project.id, stored.file_id, release).then(
      () => this.settle(upload.id, { state: 'done' }),
      (cause: unknown) => this.settle(upload.id, { state: 'unlinked', error: asApiError(cause) }),
    )
  }

  private async transfer({ id, file, options }: Upload, signal: AbortSignal): Promise<StoredFile | undefined> {
    const onProgress = this.progressOf(id, file.size)
    this.update(id, { state: 'sending', sent: 0, rate: undefined })
    try {
      return await this.deps.send(file, { isPublic: options.isPublic, onProgress, signal })
    } catch (cause) {
      if (!signal.aborted) this.settle(id, { state: 'failed', rate: undefined, error: asApiError(cause) })
      return undefined
    }
  }

  /** Shows progress ten times a second at most, and the last byte at once. */
  private progressOf(id: number, size: number): (sent: number) => void {
    let samples: Sample[] = []
    let shownAt = -Infinity
    return (sent) => {
      const at = this.deps.now()
      if (sent < size && at - shownAt < PROGRESS_EVERY_MS) return
      shownAt = at
      samples = remember(samples, { at, bytes: sent })
      this.update(id, { state: sent < size ? 'sending' : 'checking', sent, rate: rateOf(samples) })
    }
  }

  private settle(id: number, news: Changes): void {
    this.update(id, news)
    const upload = this.uploads.find((candidate) => candidate.id === id)
    if (upload) for (const listener of this.settled) listener(upload)
  }

  private update(id: number, news: Changes): void {
    this.change(this.uploads.map((upload) => (upload.id === id ? withChanges(upload, news) : upload)))
  }

  private change(uploads: readonly Upload[]): void {
    this.uploads = uploads
    for (const watcher of this.watchers) watcher()
  }
}

type Changes = { [Key in keyof Upload]?: Upload[Key] | undefined }

function withChanges(upload: Upload, news: Changes): Upload {
  const changed = { ...upload, ...news }
  if (changed.rate === undefined) delete changed.rate
  if (changed.error === undefined) delete changed.error
  return changed as Upload
}

const isTransferring = ({ state }: Upload) => state === 'sending' || state === 'checking' || state === 'linking'

/** Whether closing the page now would lose this upload. */
export const isUnfinished = (upload: Upload): boolean => upload.state === 'waiting' || isTransferring(upload)

/**
 * How much of the job is done, 0 to 1. The bytes are nine tenths of it; the last tenth is the host's answer, so that
 * the bar never claims what is not yet stored.
 */
export function shareDone({ state, sent, file }: Upload): number {
  if (state === 'done' || state === 'unlinked' || state === 'linking') return 1
  return file.size === 0 ? 0 : 0.9 * (sent / file.size)
}

function asApiError(cause: unknown): ApiError {
  return cause instanceof ApiError ? cause : new ApiError('internal', 'Upload failed', 0)
}
