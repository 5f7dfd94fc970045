import type { Facts } from '../../../contract/files/facts'
import { parseSigner } from '../certificate/signing-certificate.ts'
import { Unreadable } from '../look.ts'
import type { PackageFile } from '../package-file.ts'
import type { JarSignature } from '../zip/jar-signature.ts'

/** Schemes by the ID of their block (APK Signature Scheme v2 and v3, Android source docs). */
const SCHEMES: ReadonlyMap<number, number> = new Map([
  [0x7109871a, 2],
  [0xf05368c0, 3],
  [0x1b93ad61, 31],
])
/**
 * Preferred schemes: with several signers, devices from Android 9 use v3. v3.1 contains a newer key
 * for Android 13.
 */
const PREFERENCE = [3, 2, 31]
const MAGIC = 'APK Sig Block 42'
const FOOTER_BYTES = 24
/** Limit in bytes. Blocks have 4 to 100 kB. */
const MOST_BYTES = 2 * 1024 * 1024
const END_RECORD = Buffer.from('PK\x05\x06', 'latin1')
/** The last record of a zip, with the longest comment. */
const END_BYTES = 22 + 0xffff

export interface ApkSignature {
  /** Scheme numbers as in `Facts`. */
  schemes: number[]
  signer: Facts['signer']
  /** That of the signer, in DER. */
  certificate: Buffer | null
}

/**
 * The signature of an APK; `jar` is that of scheme 1. Verifies nothing. Throws if it is damaged.
 */
export async function readSignature(file: PackageFile, jar: JarSignature): Promise<ApkSignature> {
  const blocks = await readBlocks(file)
  const schemes = [...blocks.keys()].toSorted((a, b) => a - b)
  const preferred = PREFERENCE.find((scheme) => blocks.has(scheme))
  const block = preferred === undefined ? undefined : blocks.get(preferred)
  return {
    schemes: jar.isSigned ? [1, ...schemes] : schemes,
    signer: block ? parseSigner(certificateIn(block)) : jar.signer,
    certificate: block ? certificateIn(block) : jar.certificate,
  }
}

/**
 * The blocks of known schemes. The APK Signing Block is in front of the zip's central directory.
 */
async function readBlocks(file: PackageFile): Promise<Map<number, Buffer>> {
  const blocks = new Map<number, Buffer>()
  const directory = await readDirectoryOffset(file)
  if (directory < FOOTER_BYTES) return blocks

  const footer = await file.read(directory - FOOTER_BYTES, FOOTER_BYTES)
  if (footer.toString('latin1', 8) !== MAGIC) return blocks
  const size = Number(footer.readBigUInt64LE(0))
  if (size > MOST_BYTES) throw new Unreadable('The signature of the package is too large to read.')

  const pairs = await file.read(directory - size, size - FOOTER_BYTES)
  for (let at = 0; at < pairs.length;) {
    const length = Number(pairs.readBigUInt64LE(at))
    const scheme = SCHEMES.get(pairs.readUInt32LE(at + 8))
    if (length < 4 || at + 8 + length > pairs.length) throw new RangeError('A block is cut')

    if (scheme !== undefined && !blocks.has(scheme))
      blocks.set(scheme, pairs.subarray(at + 12, at + 8 + length))
    at += 8 + length
  }
  return blocks
}

async function readDirectoryOffset(file: PackageFile): Promise<number> {
  const length = Math.min(END_BYTES, file.size)
  const end = await file.read(file.size - length, length)
  const at = end.lastIndexOf(END_RECORD)
  return at < 0 ? 0 : end.readUInt32LE(at + 16)
}

/** The first certificate of the first signer. Each part follows its length. */
function certificateIn(block: Buffer): Buffer {
  const signer = readPart(readPart(block))
  const signed = readPart(signer)
  const certificates = readPart(signed.subarray(4 + signed.readUInt32LE(0)))
  return readPart(certificates)
}

function readPart(bytes: Buffer): Buffer {
  const end = 4 + bytes.readUInt32LE(0)
  if (end > bytes.length) throw new RangeError('A part is cut')
  return bytes.subarray(4, end)
}
