import type { Digests } from '../../data/blobs/digests'
import type { FileRecord } from '../../data/records/file-records'

interface Deps {
  blobs: { digests(blobId: string, size: number): Promise<Digests> }
  files: { keepCrc32(id: string, crc32: number): Promise<void> }
}

/** The CRC-32 of files. Files of earlier versions are read once to compute it. */
export class Checksums {
  readonly #reading = new Map<string, Promise<number>>()

  constructor(private readonly deps: Deps) {}

  /** Throws when a file must be read and is damaged. */
  async crc32Of(file: FileRecord): Promise<number> {
    if (file.crc32 !== undefined) return file.crc32
    const reading = this.#reading.get(file.blobId) ?? this.#read(file).finally(() => this.#reading.delete(file.blobId))
    this.#reading.set(file.blobId, reading)
    return reading
  }

  async #read({ id, blobId, size, sha256 }: FileRecord): Promise<number> {
    const digests = await this.deps.blobs.digests(blobId, size)
    if (digests.sha256 !== sha256) throw new Error(`The bytes of file ${id} differ from the upload`)
    // A read-only library must not block a download.
    await this.deps.files.keepCrc32(id, digests.crc32).catch(() => undefined)
    return digests.crc32
  }
}

export const SUMS = 'SHA256SUMS'

/** Formats the input of `sha256sum -c`. */
export function sha256Sums(files: readonly FileRecord[], names: readonly string[]): Buffer {
  return Buffer.from(files.map(({ sha256 }, index) => `${sha256}  ${names[index] ?? ''}\n`).join(''))
}
