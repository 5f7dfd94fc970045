import { optional } from '../optional.ts'
import type { PackageFile } from '../package-file.ts'

const XZ = 'fd377a585a00'
const XZ_FOOTER_BYTES = 12
/** The index has some bytes for each block; `xz -T0` makes a block of 24 MiB. */
const MOST_INDEX = 1024 * 1024
const FOUR_GIB = 2 ** 32

/**
 * Reads the unpacked size of a compressed file from its headers, in bytes. Returns null if unknown.
 * `least`: lower bound of the size.
 */
export async function readUnpackedSize(file: PackageFile, least: number): Promise<number | null> {
  const head = await file.read(0, Math.min(18, file.size))
  const magic = head.toString('hex', 0, 6)
  const size = await optional(() => {
    if (magic === XZ) return readXzSize(file)
    return magic.startsWith('1f8b') ? readGzipSize(file, least) : zstdSize(head)
  })
  return size !== null && Number.isSafeInteger(size) && size >= least ? size : null
}

/**
 * Reads the size from the index of a single-stream file (".xz file format", 1.2.0, sections 2.1.2
 * and 4).
 */
async function readXzSize(file: PackageFile): Promise<number | null> {
  const footer = await file.read(file.size - XZ_FOOTER_BYTES, XZ_FOOTER_BYTES)
  const length = (footer.readUInt32LE(4) + 1) * 4
  if (footer.toString('latin1', 10, 12) !== 'YZ' || length > MOST_INDEX) return null

  const index = await file.read(file.size - XZ_FOOTER_BYTES - length, length)
  let at = 1
  const number = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = index.readUInt8(at++)
      value += (byte % 128) * factor
      if (byte < 128) return value
    }
  }

  let packed = 0
  let unpacked = 0
  for (let left = number(); left > 0; left--) {
    packed += Math.ceil(number() / 4) * 4
    unpacked += number()
  }

  const isOnly = packed + length + 2 * XZ_FOOTER_BYTES === file.size
  return index.readUInt8(0) === 0 && isOnly ? unpacked : null
}

/** The last four bytes are the size modulo 4 GiB (RFC 1952, section 2.3.1). */
async function readGzipSize(file: PackageFile, least: number): Promise<number> {
  const rest = (await file.read(file.size - 4, 4)).readUInt32LE()
  return rest + Math.max(0, Math.ceil((least - rest) / FOUR_GIB)) * FOUR_GIB
}

/** Reads the size from the header of the first frame (RFC 8878, section 3.1.1.1). */
function zstdSize(head: Buffer): number | null {
  const flags = head.readUInt8(4)
  const isSingle = (flags & 0x20) !== 0
  const at = 5 + (isSingle ? 0 : 1) + ([0, 1, 2, 4][flags & 3] ?? 0)

  switch (flags >> 6) {
    case 0:
      return isSingle ? head.readUInt8(at) : null
    case 1:
      return head.readUInt16LE(at) + 256
    case 2:
      return head.readUInt32LE(at)
    default:
      return Number(head.readBigUInt64LE(at))
  }
}
