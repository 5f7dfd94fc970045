import { crc32, deflateRawSync } from 'node:zlib'

export interface Entry {
  name: string
  /** As they stand in the archive: deflated, or stored where `stored` says so. */
  bytes: Buffer
  stored?: boolean
  /** The unpacked size that the entry claims. */
  claims: number
  crc?: number
  /** The type and mode of Unix. */
  mode?: number
}

const STORED = 0
const DEFLATED = 8

/** A zip archive (APPNOTE 6.3) whose entries may lie. */
export function zipOf(entries: readonly Entry[]): Buffer<ArrayBuffer> {
  const [locals, central]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const entry of entries) {
    const local = Buffer.concat([header(0x04034b50, entry), Buffer.from(entry.name), entry.bytes])
    locals.push(local)
    central.push(centralHeader(entry, offset), Buffer.from(entry.name))
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

/** An entry with correct fields. */
export const stored = (name: string, text: string | Buffer): Entry => {
  const bytes = Buffer.from(text)
  return { name, bytes, stored: true, claims: bytes.length, crc: crc32(bytes) }
}

/** An entry of so many zeros, compressed to a thousandth; `claims` is its declared size. */
export function zeros(name: string, bytes: number, claims = bytes): Entry {
  return { name, bytes: deflateRawSync(Buffer.alloc(bytes)), claims }
}

function header(signature: number, { name, bytes, claims, crc = 0, stored }: Entry): Buffer {
  const fields = Buffer.alloc(30)
  fields.writeUInt32LE(signature, 0)
  fields.writeUInt16LE(20, 4)
  fields.writeUInt16LE(stored ? STORED : DEFLATED, 8)
  fields.writeUInt32LE(crc, 14)
  fields.writeUInt32LE(bytes.length, 18)
  fields.writeUInt32LE(claims, 22)
  fields.writeUInt16LE(Buffer.byteLength(name), 26)
  return fields
}

/** Says the same as the local header, two bytes later, and where that is. */
function centralHeader(entry: Entry, offset: number): Buffer {
  const fields = Buffer.alloc(46)
  header(0x02014b50, entry).copy(fields, 6, 4)
  fields.writeUInt32LE(0x02014b50, 0)
  fields.writeUInt16LE(20, 4)
  fields.writeUInt16LE(0, 32)
  fields.writeUInt32LE((entry.mode ?? 0) * 0x1_0000, 38)
  fields.writeUInt32LE(offset, 42)
  return fields
}
