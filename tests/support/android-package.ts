const NONE = 0xffffffff

/** Text, a number, or the id of a resource. */
type Value = string | number | { resource: number }

export interface XmlElement {
  name: string
  /** By resource id; `package` and `split` have none. */
  attributes?: readonly (readonly [id: number | 'package' | 'split', value: Value])[]
  children?: readonly XmlElement[]
}

/** Resource ids of attributes (android.R.attr). */
export const attribute = {
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  debuggable: 0x0101000f,
  drawable: 0x01010199,
  minSdk: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdk: 0x01010270,
  maxSdk: 0x01010271,
  required: 0x0101028e,
  versionCodeMajor: 0x01010576,
}

/** Binary XML with its texts in UTF-8, as aapt2 writes it. */
export function aBinaryXml(root: XmlElement): Buffer {
  const ids = [...Object.values(attribute)]
  // The names of attributes come first, in the order of their ids.
  const strings = [...Object.keys(attribute)]
  const indexOf = (text: string) => {
    const at = strings.indexOf(text, ids.length)
    return at < 0 ? strings.push(text) - 1 : at
  }
  const valueOf = (value: Value): Buffer[] => {
    if (typeof value === 'string')
      return [u32(indexOf(value)), u16(8), Buffer.from([0, 3]), u32(indexOf(value))]
    const [type, data] = typeof value === 'number' ? [0x10, value] : [1, value.resource]
    return [u32(NONE), u16(8), Buffer.from([0, type]), u32(data)]
  }
  const elementOf = ({ name, attributes = [], children = [] }: XmlElement): Buffer => {
    const all = attributes.flatMap(([id, value]) => [
      u32(NONE, typeof id === 'string' ? indexOf(id) : ids.indexOf(id)),
      ...valueOf(value),
    ])
    const start = [
      u32(1, NONE, NONE, indexOf(name)),
      u16(20, 20, attributes.length, 0, 0, 0),
      ...all,
    ]
    const end = chunk(0x103, 16, [u32(1, NONE, NONE, indexOf(name))])
    return Buffer.concat([chunk(0x102, 16, start), ...children.map(elementOf), end])
  }
  const elements = elementOf(root)
  return chunk(3, 8, [stringPool(strings), chunk(0x180, 8, [u32(...ids)]), elements])
}

interface Variant {
  value: string | { resource: number }
  density?: number
  language?: string
}
type Encoding = 'plain' | 'sparse' | 'short' | 'compact'

/**
 * A resources.arsc of one package 0x7f with one type 1; its entries are the resources 0x7f010000
 * and so on.
 */
export function aResourceTable(
  resources: readonly (readonly Variant[])[],
  encoding: Encoding = 'plain',
): Buffer {
  const strings = resources
    .flat()
    .flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
  const types = resources.flatMap((variants, entry) =>
    variants.map(({ value, density = 0, language = '\0\0' }) => {
      const [type, data] =
        typeof value === 'string' ? [3, strings.indexOf(value)] : [1, value.resource]
      const full = [u16(8, 0), u32(0), u16(8), Buffer.from([0, type]), u32(data)]
      const body = encoding === 'compact' ? [u16(0, 8 | (type << 8)), u32(data)] : full
      const missing = Array<number>(entry).fill(NONE)
      const offsets = {
        plain: u32(...missing, 0),
        compact: u32(...missing, 0),
        sparse: u16(entry, 0),
        short: u16(...missing.map(() => 0xffff), 0),
      }[encoding]
      const flags = { plain: 0, compact: 0, sparse: 1, short: 2 }[encoding]
      const count = encoding === 'sparse' ? 1 : entry + 1
      const config = [u32(28, 0), Buffer.from(language), u16(0, 0, density), u32(0, 0, 0)]
      const head = [Buffer.from([1, flags, 0, 0]), u32(count, 48 + offsets.length), ...config]
      return chunk(0x201, 48, [...head, offsets, ...body])
    }),
  )
  const head = [u32(0x7f), Buffer.alloc(256), u32(0, 0, 0, 0, 0)]
  return chunk(2, 12, [u32(1), stringPool(strings), chunk(0x200, 288, [...head, ...types])])
}

/** The zip with an APK Signing Block of these schemes, each with one certificate. */
export function withSigningBlock(zip: Buffer, schemes: Readonly<Record<number, Buffer>>): Buffer {
  const part = (...bytes: Buffer[]) => Buffer.concat([u32(Buffer.concat(bytes).length), ...bytes])
  const pairs = Object.entries(schemes).map(([id, certificate]) => {
    const signed = part(part(), part(part(certificate)), part())
    const value = Buffer.concat([u32(Number(id)), part(part(signed, part(), part()))])
    return Buffer.concat([u64(value.length), value])
  })
  const body = Buffer.concat(pairs)
  const size = u64(body.length + 24)
  const block = Buffer.concat([size, body, size, Buffer.from('APK Sig Block 42')])
  const directory = zip.readUInt32LE(zip.length - 6)
  const end = Buffer.from(zip.subarray(-22))
  end.writeUInt32LE(directory + block.length, 16)
  return Buffer.concat([zip.subarray(0, directory), block, zip.subarray(directory, -22), end])
}

function stringPool(texts: readonly string[]): Buffer {
  const encoded = texts.map((text) => {
    const bytes = Buffer.from(`${text}\0`)
    return Buffer.concat([lengthOf(text.length), lengthOf(bytes.length - 1), bytes])
  })
  const body = Buffer.concat([...encoded, Buffer.alloc(3)])
  let at = 0
  const offsets = encoded.map(({ length }) => (at += length) - length)
  const start = 28 + 4 * texts.length
  const padded = body.subarray(0, Math.ceil(at / 4) * 4)
  return chunk(1, 28, [u32(texts.length, 0, 0x100, start, 0, ...offsets), padded])
}

const lengthOf = (length: number) =>
  Buffer.from(length < 0x80 ? [length] : [0x80 | (length >> 8), length & 0xff])

function chunk(type: number, headerSize: number, body: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(body)
  return Buffer.concat([u16(type, headerSize), u32(8 + bytes.length), bytes])
}

const u16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
const u32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)
const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer)
