import { fileDamaged } from '../../core/errors'
import { DIFFERS, type DamagedBlobs } from '../../data/blobs/damaged-blobs'
import type { Digests } from '../../data/blobs/digests'
import type { FileStore } from '../files/file-store'
import type { FileRecord } from '../../data/records/file-records'

interface Deps {
  blobs: { digests(blobId: string, size: number): Promise<Digests> }
  files: Pick<FileStore, 'find' | 'setUpdate'>
  damaged: Pick<DamagedBlobs, 'add'>
}

/**
 * Computes the CRC-32 of files, which only zips need. It is read once per file; the read also
 * verifies its SHA-256.
 */
export class Checksums {
  readonly #reading = new Map<string, Promise<number>>()

  constructor(private readonly deps: Deps) {}

  /** Throws `file_damaged` when a file must be read and is damaged. */
  async crc32Of(file: FileRecord): Promise<number> {
    const { crc32 } = this.deps.files.find(file.id) ?? file
    if (crc32 !== undefined) return crc32
    const reading =
      this.#reading.get(file.blobId) ??
      this.#read(file).finally(() => this.#reading.delete(file.blobId))
    this.#reading.set(file.blobId, reading)
    return reading
  }

  async #read({ id, blobId, size, sha256, filename }: FileRecord): Promise<number> {
    const { crc32, ...digests } = await this.deps.blobs.digests(blobId, size)
    if (digests.sha256 !== sha256 || crc32 === undefined) {
      await this.deps.damaged.add({ blobId, name: filename }, DIFFERS)
      throw fileDamaged(filename)
    }

    // A zip of many files does not wait for the records to be saved, nor for a read-only library.
    this.deps.files.setUpdate(id, { crc32 }).catch(() => undefined)
    return crc32
  }
}
