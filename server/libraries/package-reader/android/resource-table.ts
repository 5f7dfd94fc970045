import { StringPool } from './string-pool.ts'
import type { Value } from './manifest.ts'

/** Chunk types of resources.arsc (frameworks/base, ResourceTypes.h). */
const TABLE = 0x0002
const STRINGS = 0x0001
const PACKAGE = 0x0200
const TYPE = 0x0201

const REFERENCE = 0x01
const STRING = 0x03
/** Flags of a type: 16-bit pairs of index and offset, or 16-bit offsets, both divided by four. */
const SPARSE = 0x01
const OFFSETS_16 = 0x02
/** Flags of an entry: a map instead of a value, or a value of 8 bytes. */
const COMPLEX = 0x01
const COMPACT = 0x08
const NO_ENTRY = 0xffffffff
const NO_ENTRY_16 = 0xffff

/** A resource can have one value for each language and density. */
const MOST_VARIANTS = 200
const MOST_STEPS = 5

/** A value of a resource, with the device it is for. */
export interface Variant {
  value: Value
  /** Screen density in dpi. 0 matches any; 65534 matches any, for drawings. */
  density: number
  /** Null: any. */
  language: string | null
}

/**
 * Looks up values in resources.arsc. Builds no tree: each lookup visits the chunks. Throws if it is
 * damaged.
 */
export class ResourceTable {
  readonly #arsc: Buffer
  #strings = new StringPool(Buffer.alloc(0))

  constructor(arsc: Buffer) {
    this.#arsc = arsc
    if (arsc.readUInt16LE(0) !== TABLE) throw new Error('Not a table of resources')
    for (const { type, chunk } of readChunks(arsc)) {
      if (type !== STRINGS) continue
      this.#strings = new StringPool(chunk)
      return
    }
  }

  /** Returns the text, preferring the one for any language. Returns null if there is none. */
  textOf(value: Value | null): string | null {
    let next = value
    for (let step = 0; step < MOST_STEPS; step++) {
      if (next === null || typeof next !== 'object') return next === null ? null : String(next)
      const all = this.variants(next.resource)
      next = (all.find(({ language }) => language === null) ?? all[0])?.value ?? null
    }
    return null
  }

  /** The files of a picture, the sharpest first. Drawings (XML) come last. */
  resolveFiles(value: Value | null, steps = MOST_STEPS): string[] {
    if (typeof value === 'string') return [value]
    if (value === null || typeof value === 'number' || steps === 0) return []
    const bySharpness = this.variants(value.resource).toSorted(
      (a, b) => sharpness(b) - sharpness(a),
    )
    const files = bySharpness.map((it) => it.value).filter((it) => typeof it === 'string')
    return files.length > 0 ? files : this.resolveFiles(bySharpness[0]?.value ?? null, steps - 1)
  }

  variants(id: number): Variant[] {
    const variants: Variant[] = []

    for (const { type, chunk } of readChunks(this.#arsc)) {
      if (type !== PACKAGE || chunk.readUInt32LE(8) !== id >>> 24) continue
      for (const inner of readChunks(chunk)) {
        if (inner.type !== TYPE || inner.chunk.readUInt8(8) !== ((id >>> 16) & 0xff)) continue

        const value = this.#readValue(inner.chunk, id & 0xffff)
        if (value !== null) variants.push({ value, ...configOf(inner.chunk) })
        if (variants.length === MOST_VARIANTS) return variants
      }
    }
    return variants
  }

  #readValue(type: Buffer, index: number): Value | null {
    const offset = readOffset(type, index)
    if (offset === null) return null
    const entry = type.subarray(type.readUInt32LE(16) + offset)
    const flags = entry.readUInt16LE(2)
    if ((flags & COMPACT) !== 0) return this.#toValue(flags >> 8, entry.readUInt32LE(4))
    if ((flags & COMPLEX) !== 0) return null
    const value = entry.subarray(entry.readUInt16LE(0))
    return this.#toValue(value.readUInt8(3), value.readUInt32LE(4))
  }

  #toValue(type: number, data: number): Value | null {
    if (type === STRING) return this.#strings.at(data)
    return type === REFERENCE ? { resource: data } : null
  }
}

function* readChunks(parent: Buffer): Generator<{ type: number; chunk: Buffer }> {
  for (let at = parent.readUInt16LE(2); at + 8 <= parent.length;) {
    const size = parent.readUInt32LE(at + 4)
    if (size < 8) throw new Error('A chunk is smaller than its header')
    yield { type: parent.readUInt16LE(at), chunk: parent.subarray(at, at + size) }
    at += size
  }
}

/** Returns the offset of an entry from the first one, or null if the type has no such entry. */
function readOffset(type: Buffer, index: number): number | null {
  const flags = type.readUInt8(9)
  const count = type.readUInt32LE(12)
  const table = type.subarray(type.readUInt16LE(2))

  if ((flags & SPARSE) !== 0) {
    for (let at = 0; at < Math.min(4 * count, table.length - 3); at += 4)
      if (table.readUInt16LE(at) === index) return 4 * table.readUInt16LE(at + 2)
    return null
  }

  if (index >= count) return null
  if ((flags & OFFSETS_16) !== 0) {
    const offset = table.readUInt16LE(2 * index)
    return offset === NO_ENTRY_16 ? null : 4 * offset
  }

  const offset = table.readUInt32LE(4 * index)
  return offset === NO_ENTRY ? null : offset
}

/** Reads ResTable_config, which starts with its size; older tools write fewer fields. */
function configOf(type: Buffer): Pick<Variant, 'density' | 'language'> {
  const language = type.subarray(28, 30)
  return {
    density: type.readUInt16LE(34),
    language: language.readUInt16LE(0) === 0 ? null : language.toString('latin1'),
  }
}

const ANY_DENSITY = 0xfffe
const sharpness = ({ density }: Variant) => (density >= ANY_DENSITY ? -1 : density)
