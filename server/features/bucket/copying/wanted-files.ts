import { setImmediate as breathe } from 'node:timers/promises'
import type { Collection, Library } from '../../../data/library/library'
import type { FileRecord } from '../../../data/records/file-records'

/** What following the files needs from the host. */
export interface WantedDeps {
  library: Library
  /** Whether projects offer the file in drafts and withdrawn releases only. */
  isWithheld: (fileId: string) => boolean
  filesOfRelease: (releaseId: string) => readonly string[]
  /** Called after each change, for a file that a copy is wanted of, or no longer. */
  changed: (blobId: string) => void
}

type File = Pick<FileRecord, 'id' | 'blobId' | 'sha256'>

/**
 * Whether a visitor may have a copy of this file at this moment. Reads the library, so it is never
 * late.
 */
export function isForVisitors(
  { id, blobId, sha256 }: File,
  files: Pick<Collection<FileRecord>, 'get'>,
  { isWithheld, leastBytes = 0 }: Pick<WantedDeps, 'isWithheld'> & { leastBytes?: number },
): boolean {
  const now = files.get(id)
  if (now?.blobId !== blobId || now.sha256 !== sha256) return false
  return now.isPublic && now.size >= leastBytes && !isWithheld(id)
}

/** How many files to look at before other work runs. */
const BATCH = 2000

/**
 * The files that get a copy in the bucket: public, large enough, and not withheld by their
 * projects. It follows the library from the first `start` on, and looks once a transaction is
 * complete.
 */
export class WantedFiles {
  readonly #files: Collection<FileRecord>
  readonly #byBlob = new Map<string, FileRecord>()
  /** File ids by blob. */
  readonly #dirty = new Map<string, string>()
  #leastBytes = Infinity
  #bytes = 0
  #isWatching = false

  constructor(private readonly deps: WantedDeps) {
    this.#files = deps.library.collection('files')
  }

  get count(): number {
    return this.#byBlob.size
  }

  get bytes(): number {
    return this.#bytes
  }

  find(blobId: string): FileRecord | undefined {
    return this.#byBlob.get(blobId)
  }

  values(): IterableIterator<FileRecord> {
    return this.#byBlob.values()
  }

  /** See `isForVisitors`. */
  isWanted(file: File): boolean {
    return isForVisitors(file, this.#files, { ...this.deps, leastBytes: this.#leastBytes })
  }

  /** Looks at all files, which may change concurrently. Resolves when it has seen all. */
  async start(leastBytes: number): Promise<void> {
    this.stop()
    this.#leastBytes = leastBytes
    this.#watch()
    let looked = 0
    for (const { id, blobId } of [...this.#files.values()]) {
      if (this.#leastBytes !== leastBytes) return
      this.#look(blobId, id)
      if (++looked % BATCH === 0) await breathe()
    }
  }

  /** From now on, no copy is wanted. */
  stop(): void {
    this.#leastBytes = Infinity
    this.#byBlob.clear()
    this.#dirty.clear()
    this.#bytes = 0
  }

  /** Collections cannot be left, so this happens once. */
  #watch(): void {
    if (this.#isWatching) return
    this.#isWatching = true

    const { library, filesOfRelease } = this.deps
    this.#files.watch((id, before, after) => {
      for (const file of [before, after]) if (file) this.#mark(file.blobId, id)
    })

    library.collection('links').watch((_id, before, after) => {
      for (const link of [before, after]) if (link) this.#markFile(link.fileId)
    })

    library.collection('releases').watch((id, before, after) => {
      if (before?.state !== after?.state)
        for (const fileId of filesOfRelease(id)) this.#markFile(fileId)
    })
  }

  #markFile(fileId: string): void {
    const file = this.#files.get(fileId)
    if (file) this.#mark(file.blobId, fileId)
  }

  /** A transaction applies all of its steps synchronously, so a microtask sees the result. */
  #mark(blobId: string, fileId: string): void {
    if (this.#leastBytes === Infinity) return
    if (this.#dirty.size === 0) queueMicrotask(() => this.#lookAtDirty())
    this.#dirty.set(blobId, fileId)
  }

  #lookAtDirty(): void {
    const dirty = [...this.#dirty]
    this.#dirty.clear()
    for (const [blobId, fileId] of dirty) this.#look(blobId, fileId)
  }

  #look(blobId: string, fileId: string): void {
    const before = this.#byBlob.get(blobId)
    const file = this.#files.get(fileId)
    const after = file?.blobId === blobId && this.isWanted(file) ? file : undefined
    if (after) this.#byBlob.set(blobId, after)
    else this.#byBlob.delete(blobId)
    this.#bytes += (after?.size ?? 0) - (before?.size ?? 0)
    if ((before === undefined) !== (after === undefined)) this.deps.changed(blobId)
  }
}
