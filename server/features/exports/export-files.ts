import type { ExportedFile } from '../../contract/export-format'
import type { FileRecord } from '../../data/records/file-records'
import type { PictureRecord } from '../../data/records/project-records'
import type { AttachmentRecord } from '../../data/records/report-records'
import { archiveNames } from '../downloads/archive-names'
import { madeOf, type ZipMember } from '../downloads/zip-reply'

/** The entries of an export. Each file has one, in the first folder that it is added to. */
export class ExportFiles {
  readonly members: ZipMember[] = []
  readonly listed: ExportedFile[] = []
  readonly texts: string[] = []
  readonly #paths = new Map<string, string>()

  has({ id }: FileRecord): boolean {
    return this.#paths.has(id)
  }

  /** Returns the path of a file that was added. */
  pathOf({ id }: FileRecord): string {
    return this.#paths.get(id) ?? ''
  }

  /** Adds the new ones of these files to a folder, each under its name or a numbered one. */
  add(folder: string, files: readonly FileRecord[], reservedNames: readonly string[]): void {
    const added = files.filter((file) => !this.has(file))
    const names = archiveNames(
      added.map(({ filename }) => filename),
      reservedNames,
    )

    for (const [index, file] of added.entries()) {
      const path = `${folder}/${names[index]}`
      const { size, sha256, filename, isPublic, version, uploadedAt } = file
      this.#paths.set(file.id, path)
      this.members.push({ name: path, modifiedAt: uploadedAt, content: { file } })
      this.listed.push({
        path,
        size,
        sha256,
        filename,
        is_public: isPublic,
        version,
        uploaded_at: uploadedAt,
      })
    }
  }

  addText(path: string, modifiedAt: string, write: () => string): void {
    this.texts.push(path)
    const made = madeOf(() => Buffer.from(write()))
    this.members.push({ name: path, modifiedAt, content: { made } })
  }

  /** Adds the largest size of a picture. */
  addPicture(path: string, { blobId, sizes, addedAt }: PictureRecord): void {
    const part = { blobId, offset: 0, size: sizes[0]?.size ?? 0 }
    this.members.push({ name: path, modifiedAt: addedAt, content: { part } })
  }

  /** Adds the files of a report to a folder. Returns their paths. */
  addAttachments(folder: string, files: readonly AttachmentRecord[]): string[] {
    const names = archiveNames(files.map(({ filename }) => filename))

    return files.map(({ blobId, size, crc32, addedAt }, index) => {
      const path = `${folder}/${names[index]}`
      const part = { blobId, offset: 0, size, crc32 }
      this.members.push({ name: path, modifiedAt: addedAt, content: { part } })
      return path
    })
  }

  /** Returns the newest of the times of all entries and others. */
  newest(others: readonly (string | undefined)[]): string {
    const times = [...this.members.map(({ modifiedAt }) => modifiedAt), ...others]
    return times.reduce<string>((newest, at = '') => (at > newest ? at : newest), '')
  }
}
