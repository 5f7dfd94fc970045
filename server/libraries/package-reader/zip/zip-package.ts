import { basename } from 'node:path/posix'
import { promisify } from 'node:util'
import { constants, inflateRaw } from 'node:zlib'
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl'
import { memorySource } from '../../../core/byte-source.ts'
import { Unreadable } from '../look.ts'
import { PackageFile } from '../package-file.ts'

/** A member as a whole, packed and unpacked; in bytes. Manifests have some 100 kB. */
const MOST_BYTES = 4 * 1024 * 1024
const MOST_ENTRIES = 200_000
const MOST_KEPT = 200
const BLOCK_BYTES = 64 * 1024
const LOCAL_HEADER = 0x04034b50
const STORED = 0
const DEFLATED = 8

const inflate = promisify(inflateRaw)

/** Decides how to handle the entry with this name. */
export type Visit = (name: string) => 'keep' | 'skip' | 'stop'
/** Entries by name. */
export type Members = ReadonlyMap<string, Entry>

/**
 * The members whose names `visit` keeps, in their order. Throws `Unreadable` if it is no zip or has
 * one of them twice.
 */
export async function readMembers(file: PackageFile, visit: Visit): Promise<Members> {
  const zip = await openZip(file)
  if (zip.entryCount > MOST_ENTRIES) throw new Unreadable('The package has too many files.')
  const members = new Map<string, Entry>()

  for await (const entry of zip.eachEntry()) {
    const { fileName: name } = entry

    const what = visit(name)
    if (what === 'stop') break
    if (what === 'skip') continue

    // Systems differ in which of two they use.
    if (members.has(name)) throw new Unreadable(`The package contains ${basename(name)} twice.`)
    if (members.size < MOST_KEPT) members.set(name, entry)
  }
  return members
}

/** Unpacks a member. Throws `Unreadable` if it is encrypted, or larger than `most` bytes. */
export async function unpackMember(
  file: PackageFile,
  entry: Entry,
  most = MOST_BYTES,
): Promise<Buffer> {
  if (entry.isEncrypted()) throw new Unreadable('The package is encrypted.')
  if (Math.max(entry.compressedSize, entry.uncompressedSize) > most) throw tooLarge(entry)

  const packed = await file.read(await readDataOffset(file, entry), entry.compressedSize)
  if (entry.compressionMethod === STORED) return packed
  if (entry.compressionMethod !== DEFLATED) throw new Error('Unsupported compression method')

  return inflate(packed, { maxOutputLength: most }).catch((cause: unknown) => {
    throw (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(entry) : cause
  })
}

/**
 * A member as a separate file, such as an app in an app; one that is compressed has at most 4 MiB.
 */
export async function openMember(file: PackageFile, entry: Entry): Promise<PackageFile> {
  if (entry.compressionMethod === STORED && !entry.isEncrypted())
    return file.part(await readDataOffset(file, entry), entry.compressedSize)
  const bytes = await unpackMember(file, entry)
  return new PackageFile(memorySource(bytes), bytes.length)
}

/**
 * The first bytes of a member: what `packed` compressed bytes unpack to, at most a thousand times
 * as many.
 */
export async function startOfMember(
  file: PackageFile,
  entry: Entry,
  packed: number,
): Promise<Buffer> {
  const bytes = await file.read(
    await readDataOffset(file, entry),
    Math.min(packed, entry.compressedSize),
  )
  if (entry.compressionMethod === STORED) return bytes
  return inflate(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
}

const tooLarge = ({ fileName }: Entry) =>
  new Unreadable(`${basename(fileName)} in the package is too large to read.`)

async function openZip(file: PackageFile): Promise<ZipFile> {
  try {
    return await fromRandomAccessReaderPromise(new BlockReader(file), file.size)
  } catch (cause) {
    throw new Unreadable('The file is not a zip archive, or its end is missing.', { cause })
  }
}

/**
 * Returns the offset of the packed bytes after the local header, whose length differs from that in
 * the directory.
 */
async function readDataOffset(
  file: PackageFile,
  { relativeOffsetOfLocalHeader: at }: Entry,
): Promise<number> {
  const header = await file.read(at, 30)
  if (header.readUInt32LE(0) !== LOCAL_HEADER) throw new Error('Not a file in a zip')
  return at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
}

/** yauzl reads 46 bytes at a time: one block serves many reads. */
class BlockReader extends RandomAccessReader {
  #block: Buffer = Buffer.alloc(0)
  #start = 0

  readonly #file: PackageFile

  constructor(file: PackageFile) {
    super()
    this.#file = file
  }

  override read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (err: Error | null) => void,
  ) {
    this.#fill(into, offset, length, position).then(() => done(null), done)
  }

  async #fill(into: Buffer, offset: number, length: number, position: number): Promise<void> {
    const isHere = position >= this.#start && position + length <= this.#start + this.#block.length
    if (!isHere) {
      this.#block = await this.#file.read(
        position,
        Math.max(length, Math.min(BLOCK_BYTES, this.#file.size - position)),
      )
      this.#start = position
    }
    this.#block.copy(into, offset, position - this.#start, position - this.#start + length)
  }
}
