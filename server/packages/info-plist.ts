const KEY = 'CFBundleShortVersionString'
/** In bytes. Property lists of apps have at most 100 kB. */
const MOST_BYTES = 256 * 1024
const TRAILER_BYTES = 32

/** Object kinds: the upper half of the first byte. The lower half is the length, or says that it follows. */
const ASCII = 0x5
const UTF16 = 0x6
const DICTIONARY = 0xd
const LENGTH_FOLLOWS = 0xf

/**
 * Reads CFBundleShortVersionString from an Info.plist, binary or XML. Null if it is missing. Throws if the file is not
 * a property list. Reads only the outermost dictionary and builds no tree: objects of a binary list reference each
 * other, so a few hundred bytes can expand beyond memory.
 */
export function bundleVersion(plist: Buffer): string | null {
  if (plist.length > MOST_BYTES) throw new Error('It is too large')
  return plist.toString('latin1', 0, 8) === 'bplist00' ? fromBinary(plist) : fromXml(plist.toString('utf8'))
}

function fromBinary(plist: Buffer): string | null {
  const trailer = plist.subarray(-TRAILER_BYTES)
  const offsetSize = trailer.readUInt8(6)
  const nameSize = trailer.readUInt8(7)
  const top = Number(trailer.readBigUInt64BE(16))
  const table = Number(trailer.readBigUInt64BE(24))
  const place = (object: number) => plist.readUIntBE(table + object * offsetSize, offsetSize)
  const objectAt = (at: number) => place(plist.readUIntBE(at, nameSize))

  const { kind, length, start } = objectIn(plist, place(top))
  if (kind !== DICTIONARY) throw new Error('Not a dictionary')
  for (let index = 0; index < length; index++) {
    if (textAt(plist, objectAt(start + index * nameSize)) !== KEY) continue
    return textAt(plist, objectAt(start + (length + index) * nameSize))
  }
  return null
}

function objectIn(plist: Buffer, at: number): { kind: number; length: number; start: number } {
  const first = plist.readUInt8(at)
  const kind = first >> 4
  const length = first & 0xf
  if (length !== LENGTH_FOLLOWS) return { kind, length, start: at + 1 }
  const bytes = 2 ** (plist.readUInt8(at + 1) & 0xf)
  return { kind, length: plist.readUIntBE(at + 2, bytes), start: at + 2 + bytes }
}

/** Null if it is not a short text: many keys could reference the same megabyte. */
function textAt(plist: Buffer, at: number): string | null {
  const { kind, length, start } = objectIn(plist, at)
  if (length > 100) return null
  if (kind === ASCII) return plist.toString('latin1', start, start + length)
  if (kind !== UTF16) return null
  return Buffer.from(plist.subarray(start, start + 2 * length))
    .swap16()
    .toString('utf16le')
}

/** Tags, each with the text behind it. No tag contains another `<`, so matching is linear. */
const TAG = /<(\/?)(dict|array|key|string)\b[^<>]*?(\/?)>([^<]*)/g

function fromXml(plist: string): string | null {
  let depth = 0
  let isNext = false
  for (const [, close, name, empty, text] of plist.matchAll(TAG)) {
    if (isNext && close === '') return name === 'string' && !text?.includes('&') ? (text ?? null) : null
    const isGroup = (name === 'dict' || name === 'array') && empty === ''
    if (isGroup) depth += close === '' ? 1 : -1
    if (name === 'key' && close === '' && depth === 1) isNext = text === KEY
  }
  return null
}
