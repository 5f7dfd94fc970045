import type { ByteSource } from '../../core/byte-source'
import { errorCode } from '../../core/durable-file'
import { fileDamaged, notFound } from '../../core/errors'
import type { BlobStore } from '../../data/blobs/blob-store'
import { MISSING, UNREADABLE, wrongSize, type DamagedBlobs } from '../../data/blobs/damaged-blobs'
import { isUnreadable } from '../../data/copy-files'
import type { HeldFolder } from '../../data/folder/presence'
import type { FileRecord } from '../../data/records/file-records'

interface Deps {
  blobs: Pick<BlobStore, 'open'>
  damaged: DamagedBlobs
  files: { find(id: string): FileRecord | undefined }
  held: Pick<HeldFolder, 'isHeld'>
}

/**
 * Opens the stored bytes of files. Refuses those that are known to be damaged, and notices bytes
 * that are missing, unreadable or of another length; other damage is found by the daily reading.
 */
export class IntactBytes {
  constructor(private readonly deps: Deps) {}

  /** Throws `file_damaged` for bytes that are known to be damaged, without reading any. */
  requireSound({ blobId, filename }: Pick<FileRecord, 'blobId' | 'filename'>): void {
    if (this.deps.damaged.problems.has(blobId)) throw fileDamaged(filename)
  }

  /** Throws `file_damaged`. */
  async open(file: FileRecord): Promise<ByteSource> {
    this.requireSound(file)

    const source = await this.deps.blobs.open(file.blobId).catch((error: unknown) => {
      return this.#refuse(file, errorCode(error) === 'ENOENT' ? MISSING : undefined, error)
    })

    try {
      const { size = file.size } = (await source.stat?.()) ?? {}
      if (size !== file.size) await this.#refuse(file, wrongSize(size, file.size))
    } catch (error) {
      await source.close()
      throw error
    }

    return { read: (...args) => this.#read(file, source, args), close: () => source.close() }
  }

  async #read(file: FileRecord, source: ByteSource, args: Parameters<ByteSource['read']>) {
    const result = await source
      .read(...args)
      .catch((error: unknown) =>
        this.#refuse(file, isUnreadable(error) ? UNREADABLE : undefined, error),
      )
    const position = args[3]
    if (result.bytesRead === 0 && position < file.size)
      await this.#refuse(file, wrongSize(position, file.size))
    return result
  }

  /** Throws `file_damaged`, or the error if it is no damage. */
  async #refuse(
    file: FileRecord,
    problem: string | undefined,
    error: unknown = fileDamaged(file.filename),
  ): Promise<never> {
    const { files, held, damaged } = this.deps
    const { id, blobId, filename } = file

    // The file may have been deleted concurrently, or its disk disconnected.
    if (problem === undefined || !(await held.isHeld())) throw error
    if (files.find(id)?.blobId !== blobId) throw notFound('File')

    await damaged.add({ blobId, name: filename }, problem)
    throw fileDamaged(filename)
  }
}
