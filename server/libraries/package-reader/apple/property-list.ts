import { readXml } from '../../../core/xml.ts'

/** In bytes. Those of apps have at most 100 kB; profiles hold certificates. */
const MOST_BYTES = 1024 * 1024
const MOST_ENTRIES = 2000
const MOST_VALUES = 1000
const LONGEST = 200
const MOST_DEPTH = 3
const TRAILER_BYTES = 32
/** Dates count seconds from here, in ms. */
const YEAR_2001 = Date.UTC(2001, 0)

/**
 * Object kinds, in the upper half of the first byte. The lower half is the length, or a marker that
 * the length follows.
 */
const SIMPLE = 0x0
const INTEGER = 0x1
const DATE = 0x3
const ASCII = 0x5
const UTF16 = 0x6
const ARRAY = 0xa
const DICTIONARY = 0xd
const LENGTH_FOLLOWS = 0xf
const SIMPLE_VALUES = new Map([
  [8, 'false'],
  [9, 'true'],
])

/** Values as text by path: keys with `/` in between. An array has several; dates are ISO 8601. */
export type Properties = ReadonlyMap<string, readonly string[]>

/** Which paths are read. */
interface Selection {
  paths: readonly string[]
  /** Other paths whose text is read, if they have one. */
  others: RegExp | undefined
}

/**
 * Reads the values at these paths of a property list, binary (CFBinaryPList.c) or XML. Throws if it
 * is not one. Builds no tree: objects of a binary list reference each other, so a few hundred bytes
 * can expand beyond memory.
 */
export function parseProperties(
  plist: Buffer,
  paths: readonly string[],
  others?: RegExp,
): Properties {
  if (plist.length > MOST_BYTES) throw new Error('The property list is too large')
  if (plist.toString('latin1', 0, 8) === 'bplist00')
    return new BinaryList(plist, { paths, others }).properties()
  const text = plist.toString('utf8')
  if (!text.includes('<plist')) throw new Error('Not a property list')
  return fromXml(text, { paths, others })
}

interface PlistObject {
  kind: number
  length: number
  start: number
}

class BinaryList {
  readonly #plist: Buffer
  readonly #selection: Selection
  readonly #offsetSize: number
  readonly #nameSize: number
  readonly #table: number
  /** Each path is visited once, however many keys are equal. */
  readonly #visited = new Set<string>()
  readonly #found = new Map<string, string[]>()

  constructor(plist: Buffer, selection: Selection) {
    const trailer = plist.subarray(-TRAILER_BYTES)
    this.#plist = plist
    this.#selection = selection
    this.#offsetSize = trailer.readUInt8(6)
    this.#nameSize = trailer.readUInt8(7)
    this.#table = Number(trailer.readBigUInt64BE(24))
  }

  properties(): Properties {
    const top = this.#object(Number(this.#plist.subarray(-TRAILER_BYTES).readBigUInt64BE(16)))
    if (top.kind !== DICTIONARY) throw new Error('Not a dictionary')
    this.#visit(top, '')
    return this.#found
  }

  #visit({ length, start }: PlistObject, prefix: string): void {
    if (length > MOST_ENTRIES) throw new Error('A dictionary is too large')
    for (let index = 0; index < length; index++) {
      const path = prefix + (this.#text(this.#referenced(start, index)) ?? '')
      const isWanted = this.#selection.paths.includes(path)
      const isOther = this.#selection.others?.test(path) ?? false
      const isGroup = this.#selection.paths.some((it) => it.startsWith(`${path}/`))

      if ((!isWanted && !isOther && !isGroup) || this.#visited.has(path)) continue
      this.#visited.add(path)
      const value = this.#referenced(start, length + index)

      // Many keys can reference one large array.
      if (isWanted || isOther)
        this.#found.set(path, isWanted || value.kind !== ARRAY ? this.#values(value) : [])
      else if (value.kind === DICTIONARY) this.#visit(value, `${path}/`)
    }
  }

  #values(value: PlistObject): string[] {
    if (value.kind !== ARRAY) return [this.#text(value)].filter((text) => text !== null)
    const items = Array.from({ length: Math.min(value.length, MOST_VALUES) }, (_, index) =>
      this.#text(this.#referenced(value.start, index)),
    )
    return items.filter((text) => text !== null)
  }

  #referenced(start: number, index: number): PlistObject {
    return this.#object(this.#plist.readUIntBE(start + index * this.#nameSize, this.#nameSize))
  }

  #object(name: number): PlistObject {
    const at = this.#plist.readUIntBE(this.#table + name * this.#offsetSize, this.#offsetSize)
    const first = this.#plist.readUInt8(at)
    const kind = first >> 4
    const length = first & 0xf
    if (length !== LENGTH_FOLLOWS) return { kind, length, start: at + 1 }
    const bytes = 2 ** (this.#plist.readUInt8(at + 1) & 0xf)
    return { kind, length: this.#plist.readUIntBE(at + 2, bytes), start: at + 2 + bytes }
  }

  /**
   * Returns a short text, number or date as text, else null: many keys could reference the same
   * megabyte.
   */
  #text({ kind, length, start }: PlistObject): string | null {
    const plist = this.#plist
    if (kind === SIMPLE) return SIMPLE_VALUES.get(length) ?? null
    if (kind === DATE) return isoDate(YEAR_2001 + 1000 * plist.readDoubleBE(start))

    if (kind === INTEGER)
      return length <= 2
        ? String(plist.readUIntBE(start, 2 ** length))
        : String(plist.readBigInt64BE(start))

    if (length > LONGEST) return null
    if (kind === ASCII) return plist.toString('latin1', start, start + length)
    if (kind !== UTF16) return null
    return Buffer.from(plist.subarray(start, start + 2 * length))
      .swap16()
      .toString('utf16le')
  }
}

function isoDate(ms: number): string | null {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

const VALUES = new Set(['string', 'integer', 'date', 'true', 'false'])

/** An open dictionary or array. Path: null if nothing in it can be wanted. */
interface Group {
  path: string | null
  isArray: boolean
  key: string
}

function fromXml(plist: string, selection: Selection): Properties {
  const properties = new Map<string, string[]>()
  const groups: Group[] = []

  readXml(plist, {
    open: ({ name }) => {
      const group = groups.at(-1)
      if (name !== 'dict' && name !== 'array') return
      groups.push(createGroup(group, name === 'array', groups.length))
      if (name === 'array') addTo(properties, selection, pathIn(group), [])
    },
    close: ({ name, text }) => {
      const group = groups.at(-1)
      if (!group) return
      if (name === 'dict' || name === 'array') groups.pop()
      else if (name === 'key') group.key = text
      else if (VALUES.has(name))
        addTo(properties, selection, pathIn(group), [
          name === 'true' || name === 'false' ? name : text,
        ])
    },
  })
  return properties
}

function createGroup(parent: Group | undefined, isArray: boolean, depth: number): Group {
  const path = depth > MOST_DEPTH || parent?.isArray ? null : parent ? pathIn(parent) : ''
  return { path, isArray, key: '' }
}

/** The path of a value that is next in this group. */
function pathIn(group: Group | undefined): string | null {
  if (!group || group.path === null || group.isArray) return group?.path ?? null
  return group.path === '' ? group.key : `${group.path}/${group.key}`
}

function addTo(
  properties: Map<string, string[]>,
  selection: Selection,
  path: string | null,
  values: readonly string[],
): void {
  if (path === null || (!selection.paths.includes(path) && !selection.others?.test(path))) return
  const all = properties.get(path) ?? []
  properties.set(path, all)
  if (all.length < MOST_VALUES) all.push(...values.filter((text) => text.length <= LONGEST))
}
