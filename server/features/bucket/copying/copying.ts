import type { Log } from '../../../core/logging/log'
import type { Bucket } from '../../../data/bucket/copies/bucket'
import { isWholeCopy, type CopyStore } from '../copy-store'
import { Copies, type CopiesDeps, type Target } from './copies'
import { Revocations } from './revocations'
import { WantedFiles, type WantedDeps } from './wanted-files'
import type { FileRecord, CopyRecord } from '../../../data/records/file-records'

/** What copying needs of the rest of the host. */
export interface CopyingDeps extends Omit<CopiesDeps, 'isRevoking'>, Omit<WantedDeps, 'changed'> {
  store: CopyStore
  log: Pick<Log, 'info' | 'warn'>
  /** Called when the last copy of all has been deleted. */
  emptied: () => void
}

type FullTarget = Target & { bucket: Bucket }

/** Keeps the copies in the bucket as the files in the library want them. */
export class Copying {
  readonly wanted: WantedFiles
  readonly copies: Copies
  readonly revocations: Revocations
  #place: string | undefined

  constructor(private readonly deps: CopyingDeps) {
    const { store, log, failed } = deps
    this.wanted = new WantedFiles({ ...deps, changed: (blobId) => this.#follow(blobId) })
    this.copies = new Copies({ ...deps, isRevoking: (blobId) => this.revocations.has(blobId) })
    const cancel = (blobId: string) => this.copies.cancel(blobId)
    const onEnd = (blobId: string) => this.#ended(blobId)
    this.revocations = new Revocations({ store, log, cancel, failed, onEnd })
  }

  /**
   * Compares all copies with all files, and begins to copy and to delete. Copies in other places
   * are forgotten.
   */
  async start(target: FullTarget, leastBytes: number): Promise<void> {
    this.#place = target.place
    await this.#forgetOthers(target.place)
    this.revocations.start(target.bucket)
    await this.wanted.start(leastBytes)
    // The settings changed again while it looked at the files.
    if (this.#place !== target.place) return
    for (const { id } of this.deps.store.all())
      if (!this.wanted.find(id)) this.revocations.begin(id)
    this.copies.start(target)
  }

  /** Deletes all copies. */
  async remove({ bucket, place }: FullTarget): Promise<void> {
    await this.#forgetOthers(place)
    this.revocations.start(bucket)
    for (const { id } of this.deps.store.all()) this.revocations.begin(id)
    if (this.deps.store.size === 0) this.deps.emptied()
  }

  async stop(): Promise<void> {
    this.#place = undefined
    this.wanted.stop()
    this.revocations.stop()
    await this.copies.stop()
  }

  /** Whether a visitor may have the copy of this file at this moment. */
  isServable(file: Pick<FileRecord, 'id' | 'blobId' | 'sha256'>): boolean {
    if (!isWholeCopy(this.deps.store.find(file.blobId), file, this.#place)) return false
    return !this.revocations.has(file.blobId) && this.wanted.isWanted(file)
  }

  /** Whether a copy of this blob belongs into the bucket. */
  wants(blobId: string): boolean {
    const copy = this.deps.store.find(blobId)
    return copy ? copy.state !== 'damaged' : this.wanted.find(blobId) !== undefined
  }

  /** Makes a copy again that the bucket has lost. */
  async lost({ id }: Pick<CopyRecord, 'id'>): Promise<void> {
    await this.deps.store.forget([id], ['there'])
    this.#follow(id)
  }

  /** Does what waited for the bucket. */
  hurry(): void {
    this.revocations.hurry()
    this.copies.hurry()
  }

  #follow(blobId: string): void {
    if (this.revocations.has(blobId)) return
    const file = this.wanted.find(blobId)
    const copy = this.deps.store.find(blobId)
    if (!file && copy) this.revocations.begin(blobId)
    else if (!file) void this.copies.cancel(blobId)
    else if (!copy || copy.state === 'copying') this.copies.want(file)
    else if (copy.state === 'revoking' || copy.sha256 !== file.sha256)
      this.revocations.begin(blobId)
  }

  #ended(blobId: string): void {
    this.#follow(blobId)
    if (this.deps.store.size === 0) this.deps.emptied()
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
