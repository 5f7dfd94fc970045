import type { Log } from '../../core/logging/log'
import { Serial } from '../../core/serial'
import { blockMapPlace } from '../../data/blobs/block-map/places'
import { updateDigest, type UpdatePace } from '../../data/blobs/block-map/update-digest'
import type { BlobStore } from '../../data/blobs/blob-store'
import type { FileStore } from './file-store'
import type { FileRecord } from '../../data/records/file-records'

/** The facts about the bytes of a file for the feeds of updaters. */
export interface UpdateData {
  sha512: string
  /** In bytes. Undefined if there is no block map yet. */
  blockMapSize: number | undefined
}

interface Deps {
  store: FileStore
  blobs: BlobStore
  log: Pick<Log, 'warn'>
}

/**
 * Computes digests and block maps of files for updaters. Only when requested, as most files are
 * never part of a feed.
 */
export class Updates {
  /** Unsaved or unfinished results, by blob. */
  readonly #known = new Map<string, Promise<UpdateData>>()
  readonly #sha1 = new Map<string, Promise<string>>()
  readonly #reading = new Serial()

  constructor(private readonly deps: Deps) {}

  /**
   * Returns the update data of a file. The first call reads the file, which takes a second per 500
   * MB; one file at a time.
   */
  async of(file: FileRecord): Promise<UpdateData> {
    const { sha512, blockMapSize, blobId } = file
    if (sha512 !== undefined) return { sha512, blockMapSize: blockMapSize || undefined }
    const pending = this.#known.get(blobId) ?? this.#queued(file)
    this.#known.set(blobId, pending)
    return pending
  }

  /** Returns the SHA-1 in hexadecimal. The first call reads the file, like `of`. */
  async sha1(file: FileRecord): Promise<string> {
    if (file.sha1 !== undefined) return file.sha1
    const pending = this.#sha1.get(file.blobId) ?? this.#reading.run(() => this.#readSha1(file))
    this.#sha1.set(file.blobId, pending)
    return pending.finally(() => this.#sha1.delete(file.blobId))
  }

  /** Creates the block map of a program at a given pace. Throws if the file cannot be read. */
  async makeBlockMap({ id, blobId, size }: FileRecord, pace: UpdatePace): Promise<void> {
    const { store, blobs } = this.deps
    const { sha512, blockMap } = await blobs.withFile(blobId, (path) =>
      updateDigest({ path, size, map: 'make' }, pace),
    )
    if (!blockMap || !store.holdsBlob(blobId)) return
    await blobs.sidecars.keep(blobId, 'blockmap', blockMap)
    await store.setUpdate(id, { sha512, blockMapSize: blockMap.length })
  }

  /**
   * Creates the zsync data of an AppImage that names zsync, at a given pace. Throws if the file
   * cannot be read.
   */
  async makeZsync({ id, blobId, size }: FileRecord, pace: UpdatePace): Promise<void> {
    const { store, blobs } = this.deps
    const { sha1, zsync } = await blobs.withFile(blobId, (path) =>
      updateDigest({ path, size, map: 'zsync' }, pace),
    )
    if (!store.holdsBlob(blobId)) return
    if (zsync) await blobs.sidecars.keep(blobId, 'zsync', zsync)
    await store.setUpdate(id, { sha1, zsyncSize: zsync?.length ?? 0 })
  }

  /** Returns the block sums, or undefined if there are none. Lost sums are created again. */
  async readZsync({ id, blobId, zsyncSize }: FileRecord): Promise<Buffer | undefined> {
    const sums = zsyncSize ? await this.deps.blobs.sidecar(blobId, 'zsync') : undefined
    if (zsyncSize && sums?.length !== zsyncSize)
      await this.deps.store.setUpdate(id, { zsyncSize: undefined }).catch(() => undefined)
    return sums?.length === zsyncSize ? sums : undefined
  }

  /** Returns the gzipped map, or undefined if there is none. A lost map is created again. */
  async readBlockMap({
    id,
    blobId,
    sha512,
    blockMapSize,
    filename,
  }: FileRecord): Promise<Buffer | undefined> {
    if (!blockMapSize || blockMapPlace(filename) !== 'beside') return undefined
    const map = await this.deps.blobs.sidecar(blobId, 'blockmap')

    if (!map)
      await this.deps.store
        .setUpdate(id, { sha512, blockMapSize: undefined })
        .catch(() => undefined)

    return map
  }

  #queued(file: FileRecord): Promise<UpdateData> {
    const reading = this.#reading.run(() => this.#read(file))
    reading.catch(() => this.#known.delete(file.blobId))
    return reading
  }

  async #readSha1({ id, blobId, size }: FileRecord): Promise<string> {
    const { store, blobs, log } = this.deps
    const saved = store.find(id)?.sha1
    if (saved !== undefined) return saved

    const { sha1 } = await blobs.withFile(blobId, (path) =>
      updateDigest({ path, size, map: 'none' }),
    )

    await store
      .setUpdate(id, { sha1 })
      .catch((err: unknown) => log.warn({ err }, 'cannot save the SHA-1 of a file'))

    return sha1
  }

  async #read({ id, blobId, size, filename }: FileRecord): Promise<UpdateData> {
    const { store, blobs, log } = this.deps
    const map = blockMapPlace(filename) === 'inside' ? 'find' : 'none'

    const { sha512, inside } = await blobs.withFile(blobId, (path) =>
      updateDigest({ path, size, map }),
    )

    const isSaved = store
      .setUpdate(id, inside === undefined ? { sha512 } : { sha512, blockMapSize: inside })
      .then(() => this.#known.delete(blobId))

    // A read-only library must not block an update.
    await isSaved.catch((err: unknown) => log.warn({ err }, 'cannot save the SHA-512 of a file'))
    return { sha512, blockMapSize: inside || undefined }
  }
}
