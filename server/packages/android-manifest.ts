/** Chunk types of binary XML (frameworks/base, ResourceTypes.h). A chunk begins with type and sizes. */
const XML = 0x0003
const STRINGS = 0x0001
const RESOURCE_IDS = 0x0180
const ELEMENT = 0x0102

/** The resource id of android:versionName, independent of its name in the file. */
const VERSION_NAME = 0x0101021c
const TYPE_STRING = 3
const UTF8 = 0x100
const NONE = 0xffffffff

/** Reads `android:versionName` of a binary manifest. Null: missing or elsewhere. Throws if not binary XML. */
export function versionName(xml: Buffer): string | null {
  if (xml.readUInt16LE(0) !== XML) throw new Error('Not binary XML')
  let strings: Buffer = Buffer.alloc(0)
  let ids: Buffer = strings
  for (let at = xml.readUInt16LE(2); at < xml.length;) {
    const type = xml.readUInt16LE(at)
    const size = xml.readUInt32LE(at + 4)
    if (size < 8) throw new Error('A chunk is smaller than its header')
    const chunk = xml.subarray(at, at + size)
    if (type === STRINGS) strings = chunk
    if (type === RESOURCE_IDS) ids = chunk
    // The first element is the manifest; later ones have no version.
    if (type === ELEMENT) return versionOf(chunk, ids, strings)
    at += size
  }
  return null
}

function versionOf(element: Buffer, ids: Buffer, strings: Buffer): string | null {
  const node = element.subarray(element.readUInt16LE(2))
  const start = node.readUInt16LE(8)
  const size = node.readUInt16LE(10)
  const count = node.readUInt16LE(12)
  for (let at = start; at < start + size * count; at += size) {
    const name = node.readUInt32LE(at + 4)
    if (!isVersionName(ids, name)) continue
    const text = node.readUInt32LE(at + 8)
    const type = node.readUInt8(at + 15)
    const value = node.readUInt32LE(at + 16)
    if (type === TYPE_STRING) return stringAt(strings, value)
    return text === NONE ? null : stringAt(strings, text)
  }
  return null
}

/** The first strings are the names of attributes that have an id. */
function isVersionName(ids: Buffer, name: number): boolean {
  const at = 8 + 4 * name
  return at + 4 <= ids.length && ids.readUInt32LE(at) === VERSION_NAME
}

function stringAt(strings: Buffer, index: number): string {
  const count = strings.readUInt32LE(8)
  const flags = strings.readUInt32LE(16)
  const start = strings.readUInt32LE(20)
  if (index >= count) throw new Error('No such string')
  const here = strings.subarray(start + strings.readUInt32LE(strings.readUInt16LE(2) + 4 * index))
  if ((flags & UTF8) === 0) {
    const [length, at] = lengthIn16(here)
    return here.toString('utf16le', at, at + 2 * length)
  }
  const [, behind] = lengthIn8(here)
  const [length, at] = lengthIn8(here.subarray(behind))
  return here.toString('utf8', behind + at, behind + at + length)
}

/** Decodes a length of one or two units; also returns how many bytes it takes. */
function lengthIn8(here: Buffer): [length: number, bytes: number] {
  const first = here.readUInt8(0)
  return first < 0x80 ? [first, 1] : [((first & 0x7f) << 8) | here.readUInt8(1), 2]
}

function lengthIn16(here: Buffer): [length: number, bytes: number] {
  const first = here.readUInt16LE(0)
  return first < 0x8000 ? [first, 2] : [(first & 0x7fff) * 0x10000 + here.readUInt16LE(2), 4]
}
