import { pipeline, Readable } from 'node:stream'
import { constants, createGunzip, createZstdDecompress } from 'node:zlib'
import xz from 'xz-decompress'
import { Unreadable } from '../look.ts'
import type { PackageFile } from '../package-file.ts'

/** Most bytes of an archive to unpack while looking for a description. */
const MOST_BYTES = 16 * 1024 * 1024
/** A description, in bytes. */
const MOST_FILE_BYTES = 1024 * 1024
const CHUNK_BYTES = 64 * 1024
const BLOCK = 512
/**
 * Headers of pax and of GNU tar, which describe the next member or all that follow, by names of
 * their own.
 */
const NAMELESS_TYPES = ['x', 'g', 'L', 'K']
/** Window of 128 MiB, which packages of Arch Linux use. Memory grows with the unpacked bytes. */
const MOST_WINDOW_LOG = 27

/** Decides what to do with a member. `path` is as in the archive; `name` has no leading `./`. */
export type VisitMember = (name: string, path: string) => 'take' | 'skip' | 'stop'

/**
 * Returns the member that `visit` takes, and unpacks the archive only up to it. Returns null if
 * `visit` stopped or took none. Throws if the archive is damaged.
 */
export async function readFromTar(file: PackageFile, visit: VisitMember): Promise<Buffer | null> {
  await using bytes = new UnpackedBytes(await openUnpacked(file))
  for (
    let header = await bytes.read(BLOCK);
    header?.some((byte) => byte !== 0);
    header = await bytes.read(BLOCK)
  ) {
    const length = Number.parseInt(header.toString('latin1', 124, 136), 8)
    if (!(length >= 0)) throw new Error('Not a header of tar')

    const type = header.toString('latin1', 156, 157)
    const path = memberPath(header)
    const what = NAMELESS_TYPES.includes(type) ? 'skip' : visit(path.replace(/^\.\//, ''), path)

    if (what === 'stop') return null
    if (what === 'take') {
      if (length > MOST_FILE_BYTES)
        throw new Unreadable('The description of this package is too large to read.')
      return (await bytes.read(length)) ?? null
    }

    await bytes.skip(Math.ceil(length / BLOCK) * BLOCK)
  }
  return null
}

/**
 * The path of a member; POSIX keeps the folders of a long one apart (pax(1), "ustar Interchange
 * Format").
 */
function memberPath(header: Buffer): string {
  const text = (start: number, end: number) =>
    header.toString('latin1', start, end).split('\0', 1)[0] ?? ''
  const folder = header.toString('latin1', 257, 263) === 'ustar\0' ? text(345, 500) : ''
  return `${folder === '' ? '' : `${folder}/`}${text(0, 100)}`
}

/**
 * Unpacks gzip, xz and Zstandard, detected by the first bytes; passes other files on unchanged.
 * Close it by its `return`.
 */
export async function openUnpacked(file: PackageFile): Promise<AsyncIterator<Uint8Array>> {
  const start = file.size < 6 ? '' : (await file.read(0, 6)).toString('hex')
  const packed = Readable.from(readChunks(file))

  const through = (decoder: NodeJS.ReadWriteStream) => {
    pipeline(packed, decoder, () => undefined)
    return (decoder as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  }

  if (start.startsWith('1f8b')) return through(createGunzip())
  if (start.startsWith('28b52ffd'))
    return through(
      createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MOST_WINDOW_LOG } }),
    )
  if (start === 'fd377a585a00')
    return new xz.XzReadableStream(Readable.toWeb(packed) as ReadableStream<Uint8Array>)[
      Symbol.asyncIterator
    ]()
  return (packed as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
}

async function* readChunks(file: PackageFile): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.size; at += CHUNK_BYTES)
    yield file.read(at, Math.min(CHUNK_BYTES, file.size - at))
}

/** Reads the output of a decoder, up to the limit. */
class UnpackedBytes {
  readonly #chunks: AsyncIterator<Uint8Array>
  #buffered: Buffer = Buffer.alloc(0)
  #left = MOST_BYTES

  constructor(chunks: AsyncIterator<Uint8Array>) {
    this.#chunks = chunks
  }

  /** Undefined: the archive ends before. */
  async read(length: number): Promise<Buffer | undefined> {
    const parts = [this.#buffered]
    for (let available = this.#buffered.length; available < length;) {
      const chunk = await this.#next()
      if (!chunk) return undefined
      parts.push(chunk)
      available += chunk.length
    }
    const all = Buffer.concat(parts)
    this.#buffered = all.subarray(length)
    return all.subarray(0, length)
  }

  async skip(length: number): Promise<void> {
    for (let left = length - this.#buffered.length; left >= 0;) {
      this.#buffered = (await this.#next()) ?? Buffer.alloc(0)
      if (this.#buffered.length === 0) return
      length = left
      left -= this.#buffered.length
    }
    this.#buffered = this.#buffered.subarray(length)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return?.()
  }

  async #next(): Promise<Buffer | undefined> {
    const next = await this.#chunks.next()
    if (next.done === true) return undefined
    const { value } = next
    this.#left -= value.length
    if (this.#left < 0)
      throw new Unreadable('The description of this package is too far inside to read.')
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
}
