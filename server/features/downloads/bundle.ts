import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { memorySource, type ByteRange, type ByteSource } from '../../core/byte-source'
import type { Sendable } from '../../http/send/send-file'
import { findEntries, layOutZip } from '../../libraries/zip-stream/layout'
import { ZipSource } from '../../libraries/zip-stream/source'
import { archiveNames } from './archive-names'
import { sha256Sums, SUMS } from '../files/sha256-sums'
import type { Checksums } from './checksums'
import type { FileRecord } from '../../data/records/file-records'

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

interface Deps {
  checksums: Checksums
  open: (file: FileRecord) => Promise<ByteSource>
}

/** Fewer than for a file, because each range of a zip opens the files in it. */
const MAX_PARTS = 64

/** Change this with the layout: other bytes need another tag. */
const LAYOUT = 'slipway-zip-1'

/**
 * Returns several files as one stored zip, with SHA256SUMS last. Its bytes follow from the records,
 * so it has a length, a tag and ranges. Reports sent ranges of each file to `delivered`.
 */
export async function buildZip(
  deps: Deps,
  bundle: Bundle,
  delivered: (file: FileRecord, range: ByteRange, isSure: boolean) => void,
): Promise<Sendable> {
  const { files } = bundle
  const names = archiveNames(filenames(files), [SUMS])
  const sums = sha256Sums(files, names)

  const modifiedAt = newest(files)
  // Each step takes some ms for thousands of files; other requests run in between.
  await breathe()

  const entries = files.map((file, index) => toEntry(file, names[index]))
  entries.push({ name: SUMS, size: sums.length, modifiedAt })
  const layout = layOutZip(entries, (entry) => computeCrc32(deps, files[entry] ?? sums))
  await breathe()

  const sourceOf = (entry: number) => {
    const file = files[entry]
    return file ? deps.open(file) : Promise.resolve(memorySource(sums))
  }

  return {
    filename: `${bundle.name}.zip`,
    size: layout.size,
    tag: createHash('sha256')
      .update(JSON.stringify([LAYOUT, entries]))
      .update(sums)
      .digest('hex'),
    type: 'application/zip',
    modifiedAt,
    keeping: bundle.isPublic ? 'public' : 'private',
    maxParts: MAX_PARTS,
    open: () => Promise.resolve(new ZipSource(layout, sourceOf)),
    delivered: (sent, isSure) => {
      for (const { entry, range } of findEntries(layout, sent)) {
        const file = files[entry]
        if (file) delivered(file, range, isSure)
      }
    },
  }
}

const toEntry = ({ size, uploadedAt: modifiedAt }: FileRecord, name = '') => ({
  name,
  size,
  modifiedAt,
})

const computeCrc32 = ({ checksums }: Deps, content: FileRecord | Buffer) =>
  'blobId' in content ? checksums.crc32Of(content) : crc32(content)

/** Returns SHA256SUMS of several files. */
export function sumsOf({ files, isPublic }: Bundle): Sendable {
  const sums = sha256Sums(files, archiveNames(filenames(files), [SUMS]))
  const sha256 = createHash('sha256').update(sums).digest('hex')

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
