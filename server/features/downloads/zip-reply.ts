import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import {
  memorySource,
  readBytes,
  sliceSource,
  type BytePart,
  type ByteRange,
  type ByteSource,
} from '../../core/byte-source'
import { fileDamaged } from '../../core/errors'
import { sha256Of } from '../../core/sha256'
import type { BlobStore } from '../../data/blobs/blob-store'
import type { DamagedBlobs } from '../../data/blobs/damaged-blobs'
import type { FileRecord } from '../../data/records/file-records'
import type { Sendable } from '../../http/send/send-file'
import { findEntries, layOutZip } from '../../libraries/zip-stream/layout'
import { ZipSource } from '../../libraries/zip-stream/source'
import { Checksums } from './checksums'
import type { IntactBytes } from './intact-bytes'

/** Bytes that are made when they are sent. `digest` changes with them. */
export interface MadeContent {
  size: number
  digest: string
  make: () => Buffer
}

/** A part of a blob, such as a picture. Without `crc32` that is computed each time. */
export interface PartContent extends BytePart {
  blobId: string
  crc32?: number | undefined
}

/** One entry of a zip. */
export interface ZipMember {
  name: string
  /** UTC ISO 8601. */
  modifiedAt: string
  content: { file: FileRecord } | { part: PartContent } | { made: MadeContent }
}

/** A zip to send. */
export interface ZipReply extends Pick<Sendable, 'filename' | 'keeping' | 'modifiedAt'> {
  members: readonly ZipMember[]
  delivered: (file: FileRecord, range: ByteRange, isSure: boolean) => void
}

type Deps = ConstructorParameters<typeof Checksums>[0] & {
  blobs: Pick<BlobStore, 'open'>
  damaged: Pick<DamagedBlobs, 'problems'>
  intact: IntactBytes
}

/** Fewer than for a file, because each range of a zip opens the files in it. */
const MAX_PARTS = 64

const BLOCK_BYTES = 512 * 1024

/** Change this with the layout: other bytes need another tag. */
const LAYOUT = 'slipway-zip-2'

/** Content from memory. */
export const madeOf = (make: () => Buffer): MadeContent => {
  const bytes = make()
  return { size: bytes.length, digest: sha256Of(bytes, 'hex'), make }
}

/** Makes zips while they are sent. */
export class ZipReplies {
  readonly #checksums: Checksums

  constructor(private readonly deps: Deps) {
    this.#checksums = new Checksums(deps)
  }

  /**
   * Returns a stored zip whose bytes follow from its members, so it has a length, a tag and ranges.
   * Reports sent ranges of each file to `delivered`. Throws `file_damaged`.
   */
  async toSendable({ members, delivered, ...reply }: ZipReply): Promise<Sendable> {
    this.#requireIntact(members)
    const entries = members.map(({ name, modifiedAt, content }) => ({
      name,
      size: sizeOf(content),
      modifiedAt,
    }))
    const contentAt = (entry: number) => members[entry]?.content ?? { made: madeOf(noBytes) }
    const layout = layOutZip(entries, (entry) => this.#computeCrc32(contentAt(entry)))
    // Each step takes some ms for thousands of files; other requests run in between.
    await breathe()

    const tag = createHash('sha256').update(JSON.stringify([LAYOUT, entries]))
    for (const { content } of members) tag.update(digestOf(content))

    return {
      ...reply,
      size: layout.size,
      tag: tag.digest('hex'),
      type: 'application/zip',
      maxParts: MAX_PARTS,
      open: () => Promise.resolve(new ZipSource(layout, (entry) => this.#open(contentAt(entry)))),
      delivered: (sent, isSure) => {
        for (const { entry, range } of findEntries(layout, sent)) {
          const content = contentAt(entry)
          if ('file' in content) delivered(content.file, range, isSure)
        }
      },
    }
  }

  /** A zip without one of its files would look complete. */
  #requireIntact(members: readonly ZipMember[]): void {
    const { problems } = this.deps.damaged
    if (problems.size === 0) return

    for (const { name, content } of members) {
      if ('made' in content) continue
      const { blobId } = 'file' in content ? content.file : content.part
      if (problems.has(blobId)) throw fileDamaged(name)
    }
  }

  async #open(content: Content): Promise<ByteSource> {
    const { blobs, intact } = this.deps
    if ('made' in content) return memorySource(content.made.make())
    if ('file' in content) return intact.open(content.file)
    return sliceSource(await blobs.open(content.part.blobId), content.part.offset)
  }

  async #computeCrc32(content: Content): Promise<number> {
    if ('made' in content) return crc32(content.made.make())
    if ('file' in content) return this.#checksums.crc32Of(content.file)
    const { part } = content
    return part.crc32 ?? computeCrc32(await this.deps.blobs.open(part.blobId), part)
  }
}

/** Reads a part in blocks, as the file of a report may be large, and closes the source. */
async function computeCrc32(source: ByteSource, { offset, size }: BytePart): Promise<number> {
  try {
    let sum = 0
    for (let at = 0; at < size; at += BLOCK_BYTES) {
      const block = { offset: offset + at, size: Math.min(BLOCK_BYTES, size - at) }
      sum = crc32(await readBytes(source, block), sum)
    }

    return sum
  } finally {
    await source.close()
  }
}

type Content = ZipMember['content']

const noBytes = () => Buffer.alloc(0)

function sizeOf(content: Content): number {
  if ('file' in content) return content.file.size
  return 'part' in content ? content.part.size : content.made.size
}

function digestOf(content: Content): string {
  if ('file' in content) return content.file.sha256
  return 'part' in content ? `${content.part.blobId} ${content.part.offset}` : content.made.digest
}
