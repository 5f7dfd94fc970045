/** One file in a zip, or an empty folder. */
export interface ZipEntry {
  /** A safe path, with `/` at the end of a folder. */
  name: string
  size: number
  /** UTC ISO 8601. */
  modifiedAt: string
  /** Whether its owner may run it. */
  isExecutable?: boolean
}

/** Bytes in any runtime: browsers have no Buffer. */
export type Bytes = Uint8Array<ArrayBuffer>
const utf8 = new TextEncoder()

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
/** Unix modes in the upper half, and the bit of MS-DOS for folders (§4.4.15). */
const PLAIN_FILE = (0o100644 << 16) >>> 0
const PROGRAM = (0o100755 << 16) >>> 0
const FOLDER = ((0o040755 << 16) | 0x10) >>> 0
const attributesOf = ({ name, isExecutable = false }: ZipEntry): number =>
  name.endsWith('/') ? FOLDER : isExecutable ? PROGRAM : PLAIN_FILE

/** Record lengths without name and extra fields. */
const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const TIMESTAMP_BYTES = 9
const END_BYTES = 22
const END64_BYTES = 56
const LOCATOR64_BYTES = 20

/** Length of a local header, in bytes, without building it: layouts need thousands of lengths. */
export const localLength = (entry: ZipEntry): number =>
  LOCAL_BYTES + endLength(entry, wideInLocal(entry).length)

/** Length of a central directory record, in bytes. */
export const centralLength = (entry: ZipEntry, offset: number): number =>
  CENTRAL_BYTES + endLength(entry, wideInCentral(entry, offset).length)

const endLength = (entry: ZipEntry, wide: number): number =>
  nameLength(entry) + extraLength(entry, wide)

const nameLength = ({ name }: ZipEntry): number =>
  /^[ -~]*$/.test(name) ? name.length : utf8.encode(name).length

const extraLength = (entry: ZipEntry, wide: number): number =>
  (stampOf(entry) === undefined ? 0 : TIMESTAMP_BYTES) + (wide === 0 ? 0 : 4 + 8 * wide)

/** Builds the local file header. Files are stored, not compressed. */
export function localHeader(entry: ZipEntry, crc32: number): Bytes {
  const isBig = entry.size >= FULL32
  const wide = wideInLocal(entry)
  const record = new ZipRecord(localLength(entry))
  record.u32(LOCAL).u16(isBig ? VERSION64 : VERSION)
  return addEnd(addCommon(record, entry, crc32, wide), entry, wide)
}

/** Builds the central directory record. `offset`: of the local header. */
export function centralHeader(entry: ZipEntry, crc32: number, offset: number): Bytes {
  const wide = wideInCentral(entry, offset)
  const version = wide.length > 0 ? VERSION64 : VERSION
  const record = new ZipRecord(centralLength(entry, offset))
  record
    .u32(CENTRAL)
    .u16(BY_UNIX | version)
    .u16(version)
  addCommon(record, entry, crc32, wide)
  record.u16(0).u16(0).u16(0).u32(attributesOf(entry)).u32(Math.min(offset, FULL32))
  return addEnd(record, entry, wide)
}

/** Builds the end of a zip: record count, directory size and offset, in bytes. */
export function endRecord(count: number, size: number, offset: number): Bytes {
  const isWide = count >= FULL16 || size >= FULL32 || offset >= FULL32
  const record = new ZipRecord(END_BYTES + (isWide ? END64_BYTES + LOCATOR64_BYTES : 0))

  if (isWide) {
    record
      .u32(END64)
      .u64(END64_BYTES - 12)
      .u16(BY_UNIX | VERSION64)
      .u16(VERSION64)
      .u32(0)
      .u32(0)
    record.u64(count).u64(count).u64(size).u64(offset)
    record
      .u32(LOCATOR64)
      .u32(0)
      .u64(offset + size)
      .u32(1)
  }

  record.u32(END).u16(0).u16(0).u16(Math.min(count, FULL16)).u16(Math.min(count, FULL16))
  return record.u32(Math.min(size, FULL32)).u32(Math.min(offset, FULL32)).u16(0).bytes
}

/** The fields that both headers have, up to the length of the extra fields. */
function addCommon(
  record: ZipRecord,
  entry: ZipEntry,
  crc32: number,
  wide: readonly number[],
): ZipRecord {
  const [time, date] = dosTime(new Date(entry.modifiedAt))
  const size = Math.min(entry.size, FULL32)
  record.u16(FLAGS).u16(0).u16(time).u16(date).u32(crc32).u32(size).u32(size)
  return record.u16(nameLength(entry)).u16(extraLength(entry, wide.length))
}

/** Name, Info-ZIP extended timestamp (UTC seconds since 1970) and zip64 field. */
function addEnd(record: ZipRecord, entry: ZipEntry, wide: readonly number[]): Bytes {
  record.text(entry.name)
  const seconds = stampOf(entry)
  if (seconds !== undefined) record.u16(0x5455).u16(5).u8(1).u32(seconds)
  if (wide.length > 0) record.u16(1).u16(8 * wide.length)
  for (const value of wide) record.u64(value)
  return record.bytes
}

/** MS-DOS times have no zone, so they are UTC; current programs read the timestamp. */
function dosTime(at: Date): [time: number, date: number] {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107)
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return [time, ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()]
}

/** Undefined beyond 2038. */
function stampOf({ modifiedAt }: ZipEntry): number | undefined {
  const seconds = Math.floor(Date.parse(modifiedAt) / 1000)
  return seconds < 0 || seconds > 0x7fffffff ? undefined : seconds
}

const wideInLocal = ({ size }: ZipEntry): number[] => (size >= FULL32 ? [size, size] : [])
const wideInCentral = (entry: ZipEntry, offset: number): number[] =>
  offset >= FULL32 ? [...wideInLocal(entry), offset] : wideInLocal(entry)

/** Bytes of a known length that are written from the first to the last, little-endian. */
class ZipRecord {
  readonly bytes: Bytes
  readonly #view: DataView
  #at = 0

  constructor(length: number) {
    this.bytes = new Uint8Array(length)
    this.#view = new DataView(this.bytes.buffer)
  }

  u8(value: number): this {
    this.#view.setUint8(this.#at, value)
    return this.#skip(1)
  }

  u16(value: number): this {
    this.#view.setUint16(this.#at, value, true)
    return this.#skip(2)
  }

  u32(value: number): this {
    this.#view.setUint32(this.#at, value, true)
    return this.#skip(4)
  }

  u64(value: number): this {
    this.#view.setBigUint64(this.#at, BigInt(value), true)
    return this.#skip(8)
  }

  text(value: string): this {
    return this.#skip(utf8.encodeInto(value, this.bytes.subarray(this.#at)).written)
  }

  #skip(length: number): this {
    this.#at += length
    return this
  }
}
