import type { PackageFile, Place } from '../package-file.ts'

const SECTOR = 512
/** GPT allows more; installers write 128. */
const MOST_ENTRIES = 128
const PROTECTIVE = 0xee
const MBR_FAT = [0x01, 0x04, 0x06, 0x0b, 0x0c, 0x0e, 0xef]
/**
 * Partition types in stored byte order (UEFI 2.10, "Defined GPT Partition Entry - Partition Type
 * GUIDs"; GRUB manual, "BIOS installation").
 */
const ESP = '28732ac11ff8d211ba4b00a0c93ec93b'
const BASIC_DATA = 'a2a0d0ebe5b9334487c068b6b72699c7'
const BIOS_BOOT = '4861682149646f6e744e656564454649'

/** The partitions of a disk that may start it. */
export interface Partitions {
  /** End of the last partition or of the backup table, in bytes. */
  end: number
  /** Partitions that may have a FAT file system, in bytes. */
  fats: Place[]
  startsBios: boolean
}

/**
 * Reads the partition table of a disk image: MBR or GPT with sectors of 512 bytes (UEFI 2.10,
 * chapter 5). Null: none.
 */
export async function readPartitions(file: PackageFile): Promise<Partitions | null> {
  const head = file.size < 2 * SECTOR ? undefined : await file.read(0, 2 * SECTOR)
  if (head?.readUInt16LE(510) !== 0xaa55) return null

  const entries = [446, 462, 478, 494].map((at) => ({
    isActive: head.readUInt8(at) === 0x80,
    isValid: (head.readUInt8(at) & 0x7f) === 0,
    type: head.readUInt8(at + 4),
    position: head.readUInt32LE(at + 8) * SECTOR,
    length: head.readUInt32LE(at + 12) * SECTOR,
  }))

  const used = entries.filter(({ type, length }) => type !== 0 && length > 0)
  if (used.length === 0 || !entries.every(({ isValid }) => isValid)) return null

  const hasCode = head.subarray(0, 440).some((byte) => byte !== 0)
  const gpt = used.some(({ type }) => type === PROTECTIVE)
    ? await readGpt(file, head.subarray(SECTOR))
    : null
  const startsBios = hasCode && (used.some(({ isActive }) => isActive) || gpt?.startsBios === true)

  if (gpt) return { ...gpt, startsBios }
  const end = Math.max(...used.map(({ position, length }) => position + length))
  return { end, fats: used.filter(({ type }) => MBR_FAT.includes(type)), startsBios }
}

async function readGpt(file: PackageFile, header: Buffer): Promise<Partitions | null> {
  if (header.toString('latin1', 0, 8) !== 'EFI PART') return null

  const count = header.readUInt32LE(80)
  const size = header.readUInt32LE(84)
  if (size < 128 || size > SECTOR) return null

  const used = Math.min(count, MOST_ENTRIES)
  const table = await file.read(toBytes(header.readBigUInt64LE(72)), used * size)
  const entries = Array.from({ length: used }, (_, index) =>
    table.subarray(index * size, (index + 1) * size),
  )

  const typeOf = (entry: Buffer) => entry.toString('hex', 0, 16)
  const fats = entries
    .filter((entry) => [ESP, BASIC_DATA].includes(typeOf(entry)))
    .map((entry) => {
      const position = toBytes(entry.readBigUInt64LE(32))
      return { position, length: toBytes(entry.readBigUInt64LE(40) + 1n) - position }
    })

  const end = toBytes(header.readBigUInt64LE(32) + 1n)
  return { end, fats, startsBios: entries.some((entry) => typeOf(entry) === BIOS_BOOT) }
}

/** Inexact above 2^53, where no file ends. */
const toBytes = (sectors: bigint): number => Number(sectors * BigInt(SECTOR))
