import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl'
import { normalizeText } from '../../contract/unseen'
import { readBytes, type ByteSource } from '../../core/byte-source'

/** Where the bytes of an entry are in its zip. */
export interface StoredEntry {
  name: string
  offset: number
  size: number
  crc32: number
}

/** A zip that is no plain folder of stored files. The message is a sentence for people. */
export class RefusedZip extends Error {
  override readonly name = 'RefusedZip'

  constructor(
    message: string,
    { isTooLarge = false, ...options }: ErrorOptions & { isTooLarge?: boolean } = {},
  ) {
    super(message, options)
    this.isTooLarge = isTooLarge
  }

  /** Whether it has more files than allowed. */
  readonly isTooLarge: boolean
}

const BLOCK_BYTES = 256 * 1024
const LOCAL_HEADER = 0x04034b50
const LOCAL_BYTES = 30
/** In place of a size that is in a zip64 field. */
const IN_ZIP64 = 0xffffffff
/** The most bytes of names and extra fields: 100,000 files of a manifest of 32 MB have fewer. */
const MOST_LISTED = 64 * 1024 * 1024
/** Unix file types in the upper half of the external attributes. */
const TYPE_MASK = 0o170000
const PLAIN = 0o100000

/**
 * Reads the entries of a zip that may be hostile: stored plain files under safe names, each name
 * once on any system, and none over another. So no entry is larger than its part of the zip.
 * Throws `RefusedZip`.
 */
export async function readStoredZip(
  source: ByteSource,
  size: number,
  mostEntries: number,
): Promise<Map<string, StoredEntry>> {
  const reader = new BlockReader(source)
  const zip = await fromRandomAccessReaderPromise(reader, size).catch((cause: unknown) => {
    throw new RefusedZip('The file is not a zip, or its end is missing', { cause })
  })
  if (zip.entryCount > mostEntries)
    throw new RefusedZip(`The zip has more than ${mostEntries.toLocaleString('en')} files`, {
      isTooLarge: true,
    })

  const listed = await listEntries(zip)
  const entries = new Map<string, StoredEntry>()
  const folded = new Set<string>()
  let end = 0

  for (const entry of listed.toSorted(byOffset)) {
    const { fileName: name, relativeOffsetOfLocalHeader: at } = entry
    requirePlain(entry)
    const key = foldName(name)
    if (folded.has(key)) throw new RefusedZip(`The zip has “${name}” twice`)
    folded.add(key)

    if (at < end) throw new RefusedZip(`“${name}” shares bytes with another file of the zip`)
    const offset = await readDataOffset(reader, size, entry)
    end = offset + entry.compressedSize
    if (end > size) throw new RefusedZip(`“${name}” is longer than the zip`)
    entries.set(name, { name, offset, size: entry.uncompressedSize, crc32: entry.crc32 })
  }

  return entries
}

/** Equal for names that are one file on some system: it ignores case, or accents apart. */
export const foldName = (name: string): string => normalizeText(name).toUpperCase().toLowerCase()

async function listEntries(zip: ZipFile): Promise<Entry[]> {
  const listed: Entry[] = []
  let bytes = 0

  try {
    for await (const entry of zip.eachEntry()) {
      bytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (bytes > MOST_LISTED) throw new RefusedZip('The names in the zip are too long')
      listed.push(entry)
    }
  } catch (cause) {
    if (cause instanceof RefusedZip) throw cause
    throw new RefusedZip('The list of files in the zip is damaged', { cause })
  }

  return listed
}

const byOffset = (a: Entry, b: Entry) =>
  a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader

function requirePlain(entry: Entry): void {
  const { fileName: name, compressionMethod, compressedSize, uncompressedSize } = entry
  const isSafe = name.split('/').every((part) => !['', '.', '..'].includes(part))
  if (!isSafe || /[\\:\p{Cc}]/u.test(name))
    throw new RefusedZip(`The zip has a file with the unsafe name “${name.slice(0, 100)}”`)

  const type = (entry.externalFileAttributes >>> 16) & TYPE_MASK
  if (type !== 0 && type !== PLAIN) throw new RefusedZip(`“${name}” is a link or no plain file`)
  if (entry.isEncrypted()) throw new RefusedZip(`“${name}” is encrypted`)
  if (compressionMethod !== 0 || compressedSize !== uncompressedSize)
    throw new RefusedZip(`“${name}” is compressed`)
}

/** Returns where the bytes begin. The local header must describe the same file. */
async function readDataOffset(reader: BlockReader, size: number, entry: Entry): Promise<number> {
  const { fileName, relativeOffsetOfLocalHeader: at } = entry
  const refused = new RefusedZip(`The zip is damaged at “${fileName}”`)
  if (at + LOCAL_BYTES > size) throw refused

  const header = await reader.bytes(at, LOCAL_BYTES)
  const nameLength = header.readUInt16LE(26)
  const offset = at + LOCAL_BYTES + nameLength + header.readUInt16LE(28)
  if (header.readUInt32LE(0) !== LOCAL_HEADER || offset > size) throw refused
  const name = (await reader.bytes(at + LOCAL_BYTES, nameLength)).toString()
  if (name !== fileName || !isSameFile(header, entry)) throw refused
  return offset
}

/** Programs that read the local header must find what those find that read the directory. */
function isSameFile(header: Buffer, entry: Entry): boolean {
  const sizes = [entry.uncompressedSize, IN_ZIP64]
  return (
    header.readUInt16LE(6) === entry.generalPurposeBitFlag &&
    header.readUInt16LE(8) === entry.compressionMethod &&
    header.readUInt32LE(14) === entry.crc32 &&
    sizes.includes(header.readUInt32LE(18)) &&
    sizes.includes(header.readUInt32LE(22))
  )
}

/** yauzl reads some bytes at a time: one block serves many reads. */
class BlockReader extends RandomAccessReader {
  #block: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(private readonly source: ByteSource) {
    super()
  }

  /** Throws RefusedZip where the source ends before. */
  async bytes(position: number, length: number): Promise<Buffer> {
    const at = position - this.#start
    if (at < 0 || at + length > this.#block.length) await this.#load(position, length)
    const from = position - this.#start
    return this.#block.subarray(from, from + length)
  }

  override read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (err: Error | null) => void,
  ): void {
    this.bytes(position, length).then(
      (bytes) => {
        bytes.copy(into, offset)
        done(null)
      },
      (cause: unknown) => done(cause as Error),
    )
  }

  async #load(position: number, length: number): Promise<void> {
    const size = Math.max(length, BLOCK_BYTES)
    this.#block = await readBytes(this.source, { offset: position, size })
    this.#start = position
    if (this.#block.length < length) throw new RefusedZip('The end of the zip is missing')
  }
}
