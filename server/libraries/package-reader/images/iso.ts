import type { DiskFacts } from '../../../contract/files/facts'
import { noFacts, Unreadable, type Look } from '../look.ts'
import { optional } from '../optional.ts'
import type { PackageFile, Place } from '../package-file.ts'
import { findBoots } from './boot-files.ts'
import { readFat } from './fat.ts'

const SECTOR = 2048
const FIRST_DESCRIPTOR = 16
const MOST_DESCRIPTORS = 32
/** Limits how much of a folder is read, in bytes. */
const MOST_FOLDER = 256 * 1024
const UEFI = 0xef
const BOOTABLE = 0x88

interface BootEntry {
  platform: number
  /** Offset of its image, in bytes. */
  position: number
}

/**
 * Reads the volume descriptors of an ISO 9660 image (ECMA-119, 8.4) and its El Torito catalogue.
 */
export async function readIso(file: PackageFile): Promise<Look> {
  const primary = await findDescriptor(file, (it) => it.readUInt8(0) === 1)
  if (!primary) throw new Unreadable('This is not an ISO image.')

  const text = (start: number, length: number) =>
    primary.toString('latin1', start, start + length).trim() || null

  const entries = (await optional(() => readCatalogue(file))) ?? []
  const uefi = await readUefi(file, primary, entries)
  const boots: DiskFacts['boots'] = []
  if (entries.some(({ platform }) => platform === 0)) boots.push('BIOS')
  if (entries.some(({ platform }) => platform === UEFI)) boots.push('UEFI')

  const publisher = text(318, 128)
  return {
    facts: {
      ...noFacts('iso'),
      name: text(40, 32),
      // An underscore begins the name of a file that has it.
      publisher: publisher?.startsWith('_') ? null : publisher,
      architectures: uefi,
      disk: { size: file.size, boots },
    },
    icon: null,
  }
}

async function findDescriptor(
  file: PackageFile,
  isIt: (bytes: Buffer) => boolean,
): Promise<Buffer | undefined> {
  for (let index = FIRST_DESCRIPTOR; index < FIRST_DESCRIPTOR + MOST_DESCRIPTORS; index++) {
    if ((index + 1) * SECTOR > file.size) return undefined
    const bytes = await file.read(index * SECTOR, SECTOR)
    if (bytes.toString('latin1', 1, 6) !== 'CD001' || bytes.readUInt8(0) === 255) return undefined
    if (isIt(bytes)) return bytes
  }
  return undefined
}

/** The bootable images ("El Torito" Bootable CD-ROM Format Specification, 1.0, figures 2 to 5). */
async function readCatalogue(file: PackageFile): Promise<BootEntry[]> {
  const record = await findDescriptor(
    file,
    (it) => it.toString('latin1', 7, 30) === 'EL TORITO SPECIFICATION',
  )
  if (!record) return []

  const catalogue = await file.read(record.readUInt32LE(71) * SECTOR, SECTOR)
  if (catalogue.readUInt8(0) !== 1) return []

  const entries: BootEntry[] = []
  let platform = catalogue.readUInt8(1)

  for (let at = 32; at < SECTOR; at += 32) {
    const mark = catalogue.readUInt8(at)
    if (mark === 0x90 || mark === 0x91) platform = catalogue.readUInt8(at + 1)
    else if (mark === BOOTABLE)
      entries.push({ platform, position: catalogue.readUInt32LE(at + 8) * SECTOR })
    else if (mark === 0 && at > 32) break
  }
  return entries
}

/**
 * The processors that UEFI programs on it are for: in its folder `EFI/BOOT`, else in the image that
 * UEFI starts.
 */
async function readUefi(
  file: PackageFile,
  primary: Buffer,
  entries: readonly BootEntry[],
): Promise<string[]> {
  const folder = await optional(async () => {
    const efi = await findFolder(file, parseExtent(primary, 156), 'EFI')
    return efi && (await findFolder(file, efi, 'BOOT'))
  })

  const names = folder
    ? await optional(async () => (await readRecords(file, folder)).map(({ name }) => name))
    : null
  const { architectures } = findBoots([], names ?? [])

  const entry = entries.find(({ platform }) => platform === UEFI)
  if (architectures.length > 0 || !entry) return architectures
  const fat = await optional(() => readFat(file.part(entry.position, file.size - entry.position)))
  return fat?.architectures ?? []
}

/** Two folders deep at most: a folder that contains itself costs nothing. */
async function findFolder(
  file: PackageFile,
  folder: Place,
  name: string,
): Promise<Place | undefined> {
  const records = await readRecords(file, folder)
  return records.find((record) => record.isFolder && record.name === name)?.folder
}

const parseExtent = (bytes: Buffer, at: number): Place => ({
  position: bytes.readUInt32LE(at + 2) * SECTOR,
  length: bytes.readUInt32LE(at + 10),
})

async function readRecords(file: PackageFile, { position, length }: Place) {
  const bytes = await file.read(position, Math.min(length, MOST_FOLDER))
  const records: { name: string; isFolder: boolean; folder: Place }[] = []
  for (let at = 0; at + 34 <= bytes.length;) {
    const size = bytes.readUInt8(at)
    if (size === 0) {
      // Records do not cross sectors.
      at = (Math.floor(at / SECTOR) + 1) * SECTOR
      continue
    }

    const name = bytes
      .toString('latin1', at + 33, at + 33 + bytes.readUInt8(at + 32))
      .replace(/\.?;\d+$/, '')

    records.push({
      name: name.toUpperCase(),
      isFolder: (bytes.readUInt8(at + 25) & 2) !== 0,
      folder: parseExtent(bytes, at),
    })
    at += Math.max(size, 34)
  }
  return records
}
