import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newBlobId, type BlobShelf } from './blob-shelf'
import { CREATE_NEW, errorCode, writeAll } from '../durable-file'

/** A small file beside each blob that says what it is, should the library ever be lost. What it says, others know. */
export class BlobSidecars {
  constructor(
    private readonly shelf: BlobShelf,
    private readonly tmp: string,
    /** The drafts of this run, which no sweep touches. */
    private readonly drafts: Set<string>,
  ) {}

  /** Returns once the text would survive a power cut. It replaces the one before as a whole. */
  async write(blobId: string, text: string): Promise<void> {
    const draft = join(this.tmp, `${newBlobId()}.part`)
    this.drafts.add(draft)
    try {
      const file = await open(draft, CREATE_NEW, 0o600)
      try {
        await writeAll(file, Buffer.from(text))
        await file.datasync()
      } finally {
        await file.close()
      }
      await this.shelf.acceptSidecar(draft, blobId)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    } finally {
      this.drafts.delete(draft)
    }
  }

  /** Undefined where there is none. */
  async read(blobId: string): Promise<string | undefined> {
    return readFile(this.shelf.sidecarOf(blobId), 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    })
  }

  /** Does nothing where there is none. */
  async remove(blobId: string): Promise<void> {
    await rm(this.shelf.sidecarOf(blobId), { force: true })
  }
}
