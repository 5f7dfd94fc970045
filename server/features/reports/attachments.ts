import { open } from 'node:fs/promises'
import type { Projects } from '../../compose/projects'
import { AppError } from '../../core/errors'
import { readPart } from '../../core/byte-source'
import type { Sources } from '../../core/clock'
import type { BlobDraft, PublishedBlob } from '../../data/blobs/drafts'
import type { BlobStore } from '../../data/blobs/blob-store'
import type { Library, Transaction } from '../../data/library/library'
import type { AttachmentRecord } from '../../data/records/report-records'
import type { UploadRecord } from '../../data/records/upload-records'
import type { PictureMaker } from '../../libraries/picture-maker/picture-maker'
import type { Shape } from '../../libraries/picture-maker/pictures'
import { cleanFilename, splitName } from '../../texts/filename'
import { requireMade } from '../pictures/require-made'
import { fitsReports, type ReportCounts } from './fits-reports'

interface Deps extends ReportCounts {
  library: Library
  blobs: Pick<BlobStore, 'begin' | 'open' | 'remove' | 'withFile'>
  sources: Sources
  maker: Pick<PictureMaker, 'make'>
  projects: Pick<Projects, 'reports' | 'store'>
}

/** One size, in which the text of a screenshot stays readable. */
const SHAPE: Shape = { fit: 'inside', sizes: [{ width: 4096, height: 4096 }] }
/** Bytes that tell a picture from other files. */
const HEAD_BYTES = 16

/**
 * Stores the files of reports. A picture is decoded in a worker and encoded again, so that neither
 * place nor owner of a camera stay in it. All else is stored as it is, and never opened.
 */
export class Attachments {
  constructor(private readonly deps: Deps) {}

  /** Makes the bytes of a form durable. Throws AppError for a picture that cannot be read. */
  async keep(draft: BlobDraft, filename: string, ownerId: string): Promise<AttachmentRecord> {
    const name = cleanFilename(filename)
    return isPicture(await readHead(draft.path))
      ? this.#encodeAgain(draft.path, name, ownerId)
      : this.#describe(await draft.publish(), name)
  }

  /** Adds a complete resumable upload to its report. `record` runs in the same transaction. */
  readonly attach = async (
    draft: Pick<BlobDraft, 'publish'>,
    { filename, ownerId, size, report: target }: UploadRecord,
    record: (tx: Transaction, id: string) => void,
  ): Promise<void> => {
    const { blobs, library, projects } = this.deps
    const sent = await draft.publish()
    let kept: AttachmentRecord | undefined

    try {
      kept = await this.#keepBlob(sent, cleanFilename(filename), ownerId)
      const added = kept
      await library.transact((tx) => {
        this.#requireRoom(target?.projectId ?? '', added.size - size)
        projects.reports.attach(tx, target?.id ?? '', added)
        record(tx, added.id)
      })
    } catch (cause) {
      // After an I/O error keep the bytes; startup recovery decides.
      if (cause instanceof AppError && cause.code !== 'busy') {
        await blobs.remove(sent.blobId)
        if (kept) await this.discard([kept])
      }
      throw cause
    }

    if (kept.blobId !== sent.blobId) await blobs.remove(sent.blobId)
  }

  /** A picture can be larger than the one that was sent, for which its upload holds room. */
  #requireRoom(projectId: string, more: number): void {
    const project = this.deps.projects.store.find(projectId)
    if (more <= 0 || !project || fitsReports(this.deps, project, more)) return
    throw new AppError('quota_exceeded', 'The picture does not fit', 'file')
  }

  /** Removes files that no record names. */
  async discard(kept: readonly AttachmentRecord[]): Promise<void> {
    for (const { blobId } of kept) await this.deps.blobs.remove(blobId)
  }

  async #keepBlob(blob: PublishedBlob, name: string, ownerId: string) {
    const { blobs } = this.deps
    const head = await readPart(await blobs.open(blob.blobId), { offset: 0, size: HEAD_BYTES })
    return isPicture(head)
      ? blobs.withFile(blob.blobId, (path) => this.#encodeAgain(path, name, ownerId))
      : this.#describe(blob, name)
  }

  async #encodeAgain(path: string, name: string, ownerId: string): Promise<AttachmentRecord> {
    const { blobs, maker } = this.deps
    const { images } = requireMade(await maker.make({ path, ownerId, shape: SHAPE }))

    await using draft = await blobs.begin()
    draft.stream.end(Buffer.concat(images.map(({ bytes }) => bytes)))
    const blob = await draft.publish()
    const filename = cleanFilename(`${splitName(name)[0] || 'picture'}.webp`)
    return { ...this.#describe(blob, filename), isPicture: true }
  }

  #describe(blob: PublishedBlob, filename: string): AttachmentRecord {
    const { sources } = this.deps
    const addedAt = sources.now().toISOString()
    const { blobId, size, sha256, crc32 } = blob
    const id = sources.newId()
    return { id, filename, size, sha256, crc32, blobId, isPicture: false, addedAt }
  }
}

async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

/**
 * The first bytes of the formats that cameras write, which name place and device: PNG, JPEG, WebP,
 * TIFF with raw pictures, and the family of HEIC and AVIF (ISO/IEC 23008-12 §10.2). The worker
 * refuses those that it cannot decode.
 */
const isPicture = (head: Buffer): boolean => {
  const text = head.toString('latin1')
  return (
    /^(\x89PNG|\xff\xd8\xff|RIFF.{4}WEBP|II\*\0|MM\0\*)/s.test(text) ||
    /^.{4}ftyp(avi[fs]|hei[cxms]|hev[cx]|mif1|msf1)/s.test(text)
  )
}
