import { noFacts, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'

const ELF = 0x7f454c46
const BIG_ENDIAN = 2
/**
 * Magic bytes. Type 1 has an ISO 9660 image after the program, type 2 a squashfs (AppImage
 * specification, "Image format").
 */
const MAGIC = Buffer.from('AI')
const LATEST = 2
/** e_machine (ELF specification, "ELF header"). */
const MACHINES: ReadonlyMap<number, string> = new Map([
  [3, 'x86'],
  [40, 'arm'],
  [62, 'x64'],
  [183, 'arm64'],
])

/**
 * Reads the header of an AppImage. Its name and version are inside of an image, which is not read.
 */
export async function readAppImage(file: PackageFile): Promise<Look> {
  const header = file.size < 20 ? undefined : await file.read(0, 20)
  const type = header?.subarray(8, 10).equals(MAGIC) ? header.readUInt8(10) : 0
  if (header?.readUInt32BE(0) !== ELF || type < 1 || type > LATEST)
    throw new Unreadable('This is not an AppImage.')

  const isBig = header.readUInt8(5) === BIG_ENDIAN
  const architecture = MACHINES.get(isBig ? header.readUInt16BE(18) : header.readUInt16LE(18))

  return {
    facts: {
      ...noFacts('appimage'),
      architectures: architecture === undefined ? [] : [architecture],
    },
    icon: null,
  }
}
