import type { FirmwareFacts } from '../../../contract/files/facts'
import { noFacts, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'

/** About 6 MiB of flash. */
const MOST_BYTES = 16 * 1024 * 1024
const NEWLINE = 10
const DATA = 0
const END = 1
const SEGMENT = 2
const LINEAR = 4

/**
 * Reads all records of an Intel HEX file ("Hexadecimal Object File Format Specification", revision
 * A): its addresses.
 */
export async function readIntelHex(file: PackageFile): Promise<Look> {
  if (file.size > MOST_BYTES) throw new Unreadable('This HEX file is too large to read.')
  const addresses = findAddresses(await file.read(0, file.size))
  return { facts: { ...noFacts('hex'), firmware: { addresses } }, icon: null }
}

/** Throws Unreadable for a wrong record, or without the last one. */
function findAddresses(bytes: Buffer): FirmwareFacts['addresses'] {
  let start = Infinity
  let end = 0
  let base = 0

  for (let at = 0; at < bytes.length;) {
    const next = bytes.indexOf(NEWLINE, at)
    const line = bytes.toString('latin1', at, next < 0 ? bytes.length : next).trim()
    at = next < 0 ? bytes.length : next + 1
    if (line === '') continue

    const record = parseRecord(line)
    if (!record) break
    const { type, address, data } = record

    if (type === END) return start < end ? { start, end } : null
    if (type === SEGMENT) base = data.readUInt16BE() * 16
    if (type === LINEAR) base = data.readUInt16BE() * 65_536
    if (type !== DATA || data.length === 0) continue

    start = Math.min(start, base + address)
    end = Math.max(end, base + address + data.length)
  }
  throw new Unreadable('This is not an Intel HEX file, or a part of it is missing.')
}

/** Undefined: not a record, or its checksum is wrong. */
function parseRecord(line: string): { type: number; address: number; data: Buffer } | undefined {
  if (!/^:(?:[0-9a-f]{2}){5,260}$/i.test(line)) return undefined
  const bytes = Buffer.from(line.slice(1), 'hex')
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  const length = bytes.readUInt8(0)
  const type = bytes.readUInt8(3)
  const isNeeded = type === SEGMENT || type === LINEAR
  if (sum % 256 !== 0 || bytes.length !== length + 5 || (isNeeded && length !== 2)) return undefined
  return { type, address: bytes.readUInt16BE(1), data: bytes.subarray(4, -1) }
}
