import { Readable } from 'node:stream'
import { constants, createGunzip, createZstdDecompress } from 'node:zlib'
import xz from 'xz-decompress'
import { Unreadable } from '../look.ts'
import type { PackageFile, Place } from '../package-file.ts'

/** Limits packed and unpacked bytes; descriptions of packages have some kB. */
const MOST_BYTES = 4 * 1024 * 1024
/**
 * 8 MiB: all decoders support this window (RFC 8878, section 3.1.1.1.2), and dpkg uses no larger
 * one.
 */
const MOST_WINDOW_LOG = 23
const ZSTD = Buffer.from('28b52ffd', 'hex')
const TOO_LARGE = 'The description of this package is too large to read.'

/**
 * Unpacks by a name's extension: `.gz`, `.xz`, `.zst` or none. Throws Unreadable for more than 4
 * MiB.
 */
export async function unpack(
  extension: string,
  file: PackageFile,
  { position, length }: Place,
): Promise<Buffer> {
  if (length > MOST_BYTES) throw new Unreadable(TOO_LARGE)
  const packed = await file.read(position, length)

  if (extension === '') return packed
  if (extension === '.gz') return collectChunks(Readable.from([packed]).pipe(createGunzip()))
  if (extension === '.xz')
    return collectChunks(new xz.XzReadableStream(new Blob([Uint8Array.from(packed)]).stream()))
  if (extension === '.zst') return unzstd(packed)
  throw new Unreadable('Slipway cannot read the compression of this package.')
}

async function collectChunks(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const output = new BoundedOutput()
  for await (const chunk of chunks) output.add(chunk)
  return output.all()
}

/** Reads one frame: each further one could ask for its own memory. */
async function unzstd(packed: Buffer): Promise<Buffer> {
  if (packed.indexOf(ZSTD) !== 0 || packed.indexOf(ZSTD, 1) > 0)
    throw new Error('Not one Zstandard frame')

  const frame = createZstdDecompress({
    params: { [constants.ZSTD_d_windowLogMax]: MOST_WINDOW_LOG },
  })

  try {
    return await collectChunks(Readable.from([packed]).pipe(frame))
  } catch (cause) {
    if ((cause as { code?: string }).code !== 'ZSTD_error_frameParameter_windowTooLarge')
      throw cause
    throw new Unreadable('Unpacking this package takes too much memory.')
  }
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
