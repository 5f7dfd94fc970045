import type { ManifestElement, Value } from './manifest.ts'
import { StringPool } from './string-pool.ts'

/**
 * Chunk types of binary XML (frameworks/base, ResourceTypes.h). A chunk begins with type and sizes.
 */
const XML = 0x0003
const STRINGS = 0x0001
const RESOURCE_IDS = 0x0180
const START = 0x0102
const END = 0x0103

/** Types of values (Res_value). */
const REFERENCE = 0x01
const STRING = 0x03
const FIRST_NUMBER = 0x10
const LAST_NUMBER = 0x1f
const NONE = 0xffffffff

/** The elements of a binary XML file, in their order. Builds no tree. Throws if it is damaged. */
export function* binaryElements(xml: Buffer): Generator<ManifestElement> {
  if (xml.readUInt16LE(0) !== XML) throw new Error('Not binary XML')
  let strings = new StringPool(Buffer.alloc(0))
  let ids: Buffer = Buffer.alloc(0)
  let depth = 0

  for (let at = xml.readUInt16LE(2); at + 8 <= xml.length;) {
    const type = xml.readUInt16LE(at)
    const size = xml.readUInt32LE(at + 4)
    if (size < 8) throw new Error('A chunk is smaller than its header')
    const chunk = xml.subarray(at, at + size)

    if (type === STRINGS) strings = new StringPool(chunk)
    if (type === RESOURCE_IDS) ids = chunk
    if (type === START) yield parseElement(chunk, ++depth, strings, ids)
    if (type === END) depth--
    at += size
  }
}

function parseElement(
  chunk: Buffer,
  depth: number,
  strings: StringPool,
  ids: Buffer,
): ManifestElement {
  const node = chunk.subarray(chunk.readUInt16LE(2))
  const start = node.readUInt16LE(8)
  const size = node.readUInt16LE(10)
  const count = node.readUInt16LE(12)

  /** The first strings are the names of attributes that have an id. */
  const idOf = (name: number) =>
    8 + 4 * name + 4 <= ids.length ? ids.readUInt32LE(8 + 4 * name) : 0
  const isNamed = (name: number, key: number | string) =>
    typeof key === 'number' ? idOf(name) === key : idOf(name) === 0 && strings.at(name) === key

  return {
    depth,
    name: () => strings.at(node.readUInt32LE(4)),
    get(key) {
      for (let index = 0; index < count; index++) {
        const attribute = node.subarray(start + size * index)
        if (isNamed(attribute.readUInt32LE(4), key)) return parseValue(attribute, strings)
      }
      return null
    },
  }
}

function parseValue(attribute: Buffer, strings: StringPool): Value | null {
  const type = attribute.readUInt8(15)
  const value = attribute.readUInt32LE(16)
  if (type === STRING) return strings.at(value)
  if (type === REFERENCE) return { resource: value }
  if (type >= FIRST_NUMBER && type <= LAST_NUMBER) return value
  const text = attribute.readUInt32LE(8)
  return text === NONE ? null : strings.at(text)
}
