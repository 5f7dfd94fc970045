/** One file in a zip. */
export interface ZipEntry {
  /** A safe name: no folders, no names reserved by a system. */
  name: string
  size: number
  /** UTC ISO 8601. */
  modifiedAt: string
}

/** APPNOTE 6.3.10: §4.3.7, §4.3.12, §4.3.16, §4.3.14, §4.3.15. */
const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END64 = 0x06064b50
const LOCATOR64 = 0x07064b50

/** Values beyond 16 or 32 bits go to a zip64 field (§4.5.3). */
const FULL16 = 0xffff
const FULL32 = 0xffffffff
const VERSION = 20
const VERSION64 = 45
/** Names are UTF-8 (§4.4.4, bit 11). */
const FLAGS = 0x0800
const BY_UNIX = 3 << 8
const PLAIN_FILE = (0o100644 << 16) >>> 0

/** Record lengths without name and extra fields. */
const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const TIMESTAMP_BYTES = 9

/** Length of a local header, in bytes, without building it: layouts need thousands of lengths. */
export const localLength = (entry: ZipEntry): number => LOCAL_BYTES + endLength(entry, wideInLocal(entry).length)

/** Length of a central directory record, in bytes. */
export const centralLength = (entry: ZipEntry, offset: number): number =>
  CENTRAL_BYTES + endLength(entry, wideInCentral(entry, offset).length)

function endLength(entry: ZipEntry, wide: number): number {
  const stamp = stampOf(entry) === undefined ? 0 : TIMESTAMP_BYTES
  return Buffer.byteLength(entry.name) + stamp + (wide === 0 ? 0 : 4 + 8 * wide)
}

/** Builds the local file header. Files are stored, not compressed. */
export function localHeader(entry: ZipEntry, crc32: number): Buffer {
  const isBig = entry.size >= FULL32
  const name = Buffer.from(entry.name)
  const extra = [timestamp(entry), zip64(wideInLocal(entry))]
  const size = isBig ? FULL32 : entry.size
  const head = [u32(LOCAL), u16(isBig ? VERSION64 : VERSION), ...common(entry, crc32), u32(size), u32(size)]
  return Buffer.concat([...head, u16(name.length), u16(lengthOf(extra)), name, ...extra])
}

/** Builds the central directory record. `offset`: of the local header. */
export function centralHeader(entry: ZipEntry, crc32: number, offset: number): Buffer {
  const isBig = entry.size >= FULL32
  const isFar = offset >= FULL32
  const wide = wideInCentral(entry, offset)
  const name = Buffer.from(entry.name)
  const extra = [timestamp(entry), zip64(wide)]
  const version = wide.length > 0 ? VERSION64 : VERSION
  const size = isBig ? FULL32 : entry.size
  const head = [u32(CENTRAL), u16(BY_UNIX | version), u16(version), ...common(entry, crc32), u32(size), u32(size)]
  const lengths = [u16(name.length), u16(lengthOf(extra)), u16(0)]
  const place = [u16(0), u16(0), u32(PLAIN_FILE), u32(isFar ? FULL32 : offset)]
  return Buffer.concat([...head, ...lengths, ...place, name, ...extra])
}

/** Builds the end of a zip: record count, directory size and offset, in bytes. */
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

function common({ modifiedAt }: ZipEntry, crc32: number): Buffer[] {
  const [time, date] = dosTime(new Date(modifiedAt))
  return [u16(FLAGS), u16(0), u16(time), u16(date), u32(crc32)]
}

/** MS-DOS times have no zone, so they are UTC; current programs read the timestamp below. */
function dosTime(at: Date): [time: number, date: number] {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107)
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return [time, ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()]
}

/** Info-ZIP extended timestamp: UTC seconds since 1970. Omitted beyond 2038. */
function timestamp(entry: ZipEntry): Buffer {
  const seconds = stampOf(entry)
  if (seconds === undefined) return Buffer.alloc(0)
  return Buffer.concat([u16(0x5455), u16(5), Buffer.from([1]), u32(seconds)])
}

function stampOf({ modifiedAt }: ZipEntry): number | undefined {
  const seconds = Math.floor(Date.parse(modifiedAt) / 1000)
  return seconds < 0 || seconds > 0x7fffffff ? undefined : seconds
}

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
