/** One file in a zip, as its headers tell it. */
export interface ZipEntry {
  /** The name inside, already safe: no folders, no names that a system reserves. */
  name: string
  /** Bytes. */
  size: number
  crc32: number
  /** UTC ISO 8601. */
  modifiedAt: string
}

/** APPNOTE 6.3.10: §4.3.7, §4.3.12, §4.3.16, §4.3.14, §4.3.15. */
const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END64 = 0x06064b50
const LOCATOR64 = 0x07064b50

/** What no longer fits into a field of 16 or 32 bits stands in a zip64 field instead (§4.5.3). */
const FULL16 = 0xffff
const FULL32 = 0xffffffff
const VERSION = 20
const VERSION64 = 45
/** Names are UTF-8 (§4.4.4, bit 11). */
const FLAGS = 0x0800
const BY_UNIX = 3 << 8
const PLAIN_FILE = (0o100644 << 16) >>> 0

/** The length of each record without its name and its extra fields. */
const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const TIMESTAMP_BYTES = 9

/** How long the local header of a file is, in bytes. A layout asks for thousands of lengths before one header is sent. */
export const localLength = (entry: ZipEntry): number => LOCAL_BYTES + endLength(entry, wideInLocal(entry).length)

/** How long its record in the directory is, in bytes. */
export const centralLength = (entry: ZipEntry, offset: number): number =>
  CENTRAL_BYTES + endLength(entry, wideInCentral(entry, offset).length)

/** The name, the timestamp and the zip64 field. */
function endLength(entry: ZipEntry, wide: number): number {
  const stamp = stampOf(entry) === undefined ? 0 : TIMESTAMP_BYTES
  return Buffer.byteLength(entry.name) + stamp + (wide === 0 ? 0 : 4 + 8 * wide)
}

/** The header before the bytes of a file. The bytes are stored as they are. */
export function localHeader(entry: ZipEntry): Buffer {
  const isBig = entry.size >= FULL32
  const name = Buffer.from(entry.name)
  const extra = [timestamp(entry), zip64(wideInLocal(entry))]
  const size = isBig ? FULL32 : entry.size
  const head = [u32(LOCAL), u16(isBig ? VERSION64 : VERSION), ...common(entry), u32(size), u32(size)]
  return Buffer.concat([...head, u16(name.length), u16(lengthOf(extra)), name, ...extra])
}

/** The record of a file in the directory at the end. `offset`: where its local header stands. */
export function centralHeader(entry: ZipEntry, offset: number): Buffer {
  const isBig = entry.size >= FULL32
  const isFar = offset >= FULL32
  const wide = wideInCentral(entry, offset)
  const name = Buffer.from(entry.name)
  const extra = [timestamp(entry), zip64(wide)]
  const needed = wide.length > 0 ? VERSION64 : VERSION
  const size = isBig ? FULL32 : entry.size
  const head = [u32(CENTRAL), u16(BY_UNIX | needed), u16(needed), ...common(entry), u32(size), u32(size)]
  const lengths = [u16(name.length), u16(lengthOf(extra)), u16(0)]
  const place = [u16(0), u16(0), u32(PLAIN_FILE), u32(isFar ? FULL32 : offset)]
  return Buffer.concat([...head, ...lengths, ...place, name, ...extra])
}

/** What ends a zip: how many records its directory has, its size and where it begins, in bytes. */
export function endRecord(count: number, size: number, offset: number): Buffer {
  const isWide = count >= FULL16 || size >= FULL32 || offset >= FULL32
  const counts = u16(Math.min(count, FULL16))
  const places = [u32(Math.min(size, FULL32)), u32(Math.min(offset, FULL32))]
  const end = [u32(END), u16(0), u16(0), counts, counts, ...places, u16(0)]
  return Buffer.concat(isWide ? [...endRecord64(count, size, offset), ...end] : end)
}

function endRecord64(count: number, size: number, offset: number): Buffer[] {
  const versions = [u16(BY_UNIX | VERSION64), u16(VERSION64)]
  const record = [...versions, u32(0), u32(0), u64(count), u64(count), u64(size), u64(offset)]
  const locator = [u32(LOCATOR64), u32(0), u64(offset + size), u32(1)]
  return [u32(END64), u64(lengthOf(record)), ...record, ...locator]
}

/** Flags, method 0 (stored), time and checksum. */
function common({ modifiedAt, crc32 }: ZipEntry): Buffer[] {
  const [time, date] = dosTime(new Date(modifiedAt))
  return [u16(FLAGS), u16(0), u16(time), u16(date), u32(crc32)]
}

/** MS-DOS has no time zone; programs that read the timestamp below do not need it. Here it is UTC. */
function dosTime(at: Date): [time: number, date: number] {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107)
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return [time, ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()]
}

/** Info-ZIP's extended timestamp: seconds since 1970 in UTC. It ends in 2038, and is left out from then on. */
function timestamp(entry: ZipEntry): Buffer {
  const seconds = stampOf(entry)
  if (seconds === undefined) return Buffer.alloc(0)
  return Buffer.concat([u16(0x5455), u16(5), Buffer.from([1]), u32(seconds)])
}

function stampOf({ modifiedAt }: ZipEntry): number | undefined {
  const seconds = Math.floor(Date.parse(modifiedAt) / 1000)
  return seconds < 0 || seconds > 0x7fffffff ? undefined : seconds
}

/** What stands in the zip64 field of each record. */
const wideInLocal = ({ size }: ZipEntry): number[] => (size >= FULL32 ? [size, size] : [])
const wideInCentral = (entry: ZipEntry, offset: number): number[] =>
  offset >= FULL32 ? [...wideInLocal(entry), offset] : wideInLocal(entry)

function zip64(values: readonly number[]): Buffer {
  return values.length === 0 ? Buffer.alloc(0) : Buffer.concat([u16(1), u16(8 * values.length), ...values.map(u64)])
}

const lengthOf = (buffers: readonly Buffer[]) => buffers.reduce((sum, { length }) => sum + length, 0)

function u16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16LE(value)
  return buffer
}

function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}

function u64(value: number): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}
