import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Decompress } from 'fzstd'
import xz from 'xz-decompress'
import { Unreadable } from '../look.ts'
import type { PackageFile } from '../package-file.ts'

/** Limits packed and unpacked bytes; descriptions of packages have some kB. */
const MOST_BYTES = 4 * 1024 * 1024
/** All decoders support this window (RFC 8878, section 3.1.1.1.2), and dpkg uses no larger one; in bytes. */
const MOST_WINDOW = 8 * 1024 * 1024
/** fzstd moves the whole window for each block, which usually has 128 kB. */
const MOST_BLOCKS = 200
const ZSTD = Buffer.from('28b52ffd', 'hex')
const TOO_LARGE = 'The description of this package is too large to read.'

interface Place {
  position: number
  /** In bytes. */
  length: number
}

/** Unpacks by a name's extension: `.gz`, `.xz`, `.zst` or none. Throws Unreadable for more than 4 MiB. */
export async function unpack(extension: string, file: PackageFile, { position, length }: Place): Promise<Buffer> {
  if (length > MOST_BYTES) throw new Unreadable(TOO_LARGE)
  const packed = await file.read(position, length)
  if (extension === '') return packed
  if (extension === '.gz') return collected(Readable.from([packed]).pipe(createGunzip()))
  if (extension === '.xz') return collected(new xz.XzReadableStream(new Blob([Uint8Array.from(packed)]).stream()))
  if (extension === '.zst') return unzstd(packed)
  throw new Unreadable('Slipway cannot read the compression of this package.')
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const output = new BoundedOutput()
  for await (const chunk of chunks) output.add(chunk)
  return output.all()
}

/** Reads one frame: each further one could ask for 2 GB of memory. */
function unzstd(packed: Buffer): Buffer {
  if (packed.indexOf(ZSTD) !== 0 || packed.indexOf(ZSTD, 1) > 0) throw new Error('Not one Zstandard frame')
  if (windowIn(packed) > MOST_WINDOW) throw new Unreadable('Unpacking this package takes too much memory.')
  const output = new BoundedOutput()
  let blocks = 0
  const decompress = new Decompress((block) => {
    if (++blocks > MOST_BLOCKS) throw new Unreadable(TOO_LARGE)
    output.add(block)
  })
  decompress.push(packed, true)
  return output.all()
}

/** RFC 8878, section 3.1.1.1: a frame has the size of its window, or that of its content instead. In bytes. */
function windowIn(frame: Buffer): number {
  const flags = frame.readUInt8(4)
  if ((flags & 0x20) === 0) {
    const window = frame.readUInt8(5)
    return 2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8)
  }
  const dictionary = [0, 1, 2, 4][flags & 3] ?? 0
  const length = 2 ** (flags >> 6)
  return length === 8 ? Number(frame.readBigUInt64LE(5 + dictionary)) : frame.readUIntLE(5 + dictionary, length)
}

class BoundedOutput {
  #length = 0
  readonly #chunks: Uint8Array[] = []

  add(chunk: Uint8Array): void {
    this.#length += chunk.length
    if (this.#length > MOST_BYTES) throw new Unreadable(TOO_LARGE)
    this.#chunks.push(chunk)
  }

  all(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}
