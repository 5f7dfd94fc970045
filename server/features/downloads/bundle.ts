import { memorySource } from '../../core/byte-source'
import { sha256Of } from '../../core/sha256'
import type { Sendable } from '../../http/send/send-file'
import { archiveNames } from './archive-names'
import { sha256Sums, SUMS } from '../files/sha256-sums'
import type { FileRecord } from '../../data/records/file-records'
import { madeOf, type ZipMember, type ZipReply } from './zip-reply'

/** Several files for one download. */
export interface Bundle {
  /** Name of the zip without extension. */
  name: string
  /** Not empty. */
  files: readonly FileRecord[]
  /** The project of the download. */
  projectId?: string
  isPublic: boolean
}

/** Returns several files as one zip, with SHA256SUMS last. */
export function zipOf({ name, files, isPublic }: Bundle): Omit<ZipReply, 'delivered'> {
  const names = archiveNames(filenames(files), [SUMS])
  const modifiedAt = newest(files)

  const members = files.map((file, index): ZipMember => ({
    name: names[index] ?? '',
    modifiedAt: file.uploadedAt,
    content: { file },
  }))
  const sums = sha256Sums(files, names)
  members.push({ name: SUMS, modifiedAt, content: { made: madeOf(() => sums) } })

  return {
    filename: `${name}.zip`,
    modifiedAt,
    keeping: isPublic ? 'public' : 'private',
    members,
  }
}

/** Returns SHA256SUMS of several files. */
export function sumsOf({ files, isPublic }: Bundle): Sendable {
  const sums = sha256Sums(files, archiveNames(filenames(files), [SUMS]))
  const sha256 = sha256Of(sums, 'hex')

  return {
    filename: SUMS,
    size: sums.length,
    tag: sha256,
    sha256,
    type: 'text/plain; charset=utf-8',
    modifiedAt: newest(files),
    keeping: isPublic ? 'public' : 'private',
    open: () => Promise.resolve(memorySource(sums)),
    delivered: () => undefined,
  }
}

const filenames = (files: readonly FileRecord[]) => files.map(({ filename }) => filename)

const newest = (files: readonly FileRecord[]) =>
  files
    .map(({ uploadedAt }) => uploadedAt)
    .toSorted()
    .at(-1) ?? ''
