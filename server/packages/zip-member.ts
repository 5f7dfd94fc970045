import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl'
import type { PackageFile } from './package-file.ts'

/** The files to read have some 100 kB; in bytes. */
const MOST_BYTES = 4 * 1024 * 1024
const MOST_ENTRIES = 200_000
const BLOCK_BYTES = 64 * 1024
const STORED = 0
const DEFLATED = 8

const inflate = promisify(inflateRaw)

/** Reads the first file whose name matches. Throws if there is none, another kind comes first, or it is too large. */
export async function memberOf(file: PackageFile, name: RegExp, beside = /^/): Promise<Buffer> {
  const zip = await fromRandomAccessReaderPromise(new BlockReader(file), file.size)
  const entry = await find(zip, name, beside)
  const { compressedSize, uncompressedSize, compressionMethod } = entry
  if (entry.isEncrypted() || Math.max(compressedSize, uncompressedSize) > MOST_BYTES)
    throw new Error('Not the expected kind of file')
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
  const packed = await file.read(fileDataStart, compressedSize)
  if (compressionMethod === STORED) return packed
  if (compressionMethod === DEFLATED) return inflate(packed, { maxOutputLength: MOST_BYTES })
  throw new Error('Unsupported compression method')
}

async function find(zip: ZipFile, name: RegExp, beside: RegExp): Promise<Entry> {
  if (zip.entryCount > MOST_ENTRIES) throw new Error('There are too many files')
  for await (const entry of zip.eachEntry()) {
    if (name.test(entry.fileName)) return entry
    if (!beside.test(entry.fileName)) break
  }
  throw new Error('No such file in the zip')
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

  override read(into: Buffer, offset: number, length: number, position: number, done: (err: Error | null) => void) {
    this.#fill(into, offset, length, position).then(() => done(null), done)
  }

  async #fill(into: Buffer, offset: number, length: number, position: number): Promise<void> {
    const isHere = position >= this.#start && position + length <= this.#start + this.#block.length
    if (!isHere) {
      this.#block = await this.#file.read(position, Math.max(length, Math.min(BLOCK_BYTES, this.#file.size - position)))
      this.#start = position
    }
    this.#block.copy(into, offset, position - this.#start, position - this.#start + length)
  }
}
