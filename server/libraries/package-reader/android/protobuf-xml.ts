import type { ManifestElement, Value } from './manifest.ts'

/** Wire types (Protocol Buffers docs, Encoding). */
const VARINT = 0
const FIXED_64 = 1
const BYTES = 2
const FIXED_32 = 5
const MOST_VARINT_BYTES = 10
/** Limit for names, in bytes. */
const LONGEST = 1000
const EMPTY = Buffer.alloc(0)

/** One field of a message: its bytes, or its number. */
interface Field {
  id: number
  bytes: Buffer
  number: number
}

/**
 * The outermost element of XML in protobuf, and those in it: message XmlNode of aapt2
 * (frameworks/base, tools/aapt2/Resources.proto). Builds no tree. Throws if it is damaged.
 */
export function* protobufElements(xml: Buffer): Generator<ManifestElement> {
  const root = readBytes(xml, 1)
  yield parseElement(root, 1)
  for (const { id, bytes } of readFields(root)) {
    const child = id === 5 ? readBytes(bytes, 1) : EMPTY
    if (child.length > 0) yield parseElement(child, 2)
  }
}

/** XmlElement: name is 3, attributes are 4. */
function parseElement(element: Buffer, depth: number): ManifestElement {
  return {
    depth,
    name: () => readText(element, 3),
    get(key) {
      for (const { id, bytes } of readFields(element))
        if (id === 4 && isNamed(bytes, key)) return valueOf(bytes)
      return null
    },
  }
}

/** XmlAttribute: name is 2, its text 3, its resource id 5, its compiled value 6. */
function isNamed(attribute: Buffer, key: number | string): boolean {
  const resource = readNumber(attribute, 5) ?? 0
  return typeof key === 'number'
    ? resource === key
    : resource === 0 && readText(attribute, 2) === key
}

function valueOf(attribute: Buffer): Value | null {
  const item = readBytes(attribute, 6)

  for (const { id, bytes } of readFields(item)) {
    // Reference, with its id in 2; String; Primitive, with decimal, hexadecimal and boolean
    // numbers.
    if (id === 1) return { resource: readNumber(bytes, 2) ?? 0 }
    if (id === 2) return readText(bytes, 1)
    if (id === 7)
      return readNumber(bytes, 6) ?? readNumber(bytes, 7) ?? readNumber(bytes, 8) ?? null
  }

  const text = readText(attribute, 3)
  if (text.startsWith('@')) return { resource: 0 }
  return text === '' ? null : text
}

function readText(message: Buffer, id: number): string {
  const bytes = readBytes(message, id)
  return bytes.length > LONGEST ? '' : bytes.toString('utf8')
}

function readBytes(message: Buffer, id: number): Buffer {
  for (const field of readFields(message)) if (field.id === id) return field.bytes
  return EMPTY
}

function readNumber(message: Buffer, id: number): number | undefined {
  for (const field of readFields(message)) if (field.id === id) return field.number
  return undefined
}

function* readFields(message: Buffer): Generator<Field> {
  for (let at = 0; at < message.length;) {
    const [tag, behindTag] = readVarint(message, at)
    const type = tag % 8
    const id = Math.floor(tag / 8)

    const [number, behind] =
      type === VARINT || type === BYTES ? readVarint(message, behindTag) : [0, behindTag]
    const length = { [VARINT]: 0, [FIXED_64]: 8, [BYTES]: number, [FIXED_32]: 4 }[type]
    if (length === undefined || behind + length > message.length)
      throw new RangeError('A field is cut')

    yield { id, number, bytes: type === BYTES ? message.subarray(behind, behind + length) : EMPTY }
    at = behind + length
  }
}

/** A number of 7 bits a byte, and where it ends. */
function readVarint(message: Buffer, start: number): [value: number, end: number] {
  let value = 0
  for (let index = 0; index < MOST_VARINT_BYTES; index++) {
    const byte = message.readUInt8(start + index)
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return [value, start + index + 1]
  }
  throw new RangeError('A number is too long')
}
