import type { PackageFile } from '../package-file.ts'

const HEADER = 0x8eade801
/** Magic, reserved bytes, the number of index entries, the length of the data. */
const INTRO_BYTES = 16
const ENTRY_BYTES = 16
/** The limit of rpm itself (lib/header.c). */
const MOST_ENTRIES = 65_535
/** Values of one tag: the largest packages of distributions have 100,000 files. */
const MOST_VALUES = 500_000

/** Types of values (rpm.org, "RPM tags"). A translated text begins with the untranslated one. */
const NUMBER_BYTES: ReadonlyMap<number, number> = new Map([
  [3, 2],
  [4, 4],
  [5, 8],
])
const TEXTS: ReadonlySet<number> = new Set([6, 8, 9])

/** The place of a header in the package, in bytes. */
export interface HeaderPlace {
  start: number
  entries: number
  /** Offset of the data, after the entries. */
  data: number
  end: number
}

/** Finds a header. Throws if there is none at this offset. */
export async function findHeader(file: PackageFile, start: number): Promise<HeaderPlace> {
  const intro = await file.read(start, INTRO_BYTES)
  const entries = intro.readUInt32BE(8)
  if (intro.readUInt32BE(0) !== HEADER || entries > MOST_ENTRIES)
    throw new Error('Not a header of rpm')
  const data = start + INTRO_BYTES + entries * ENTRY_BYTES
  return { start, entries, data, end: data + intro.readUInt32BE(12) }
}

/**
 * The values of a header by their tags; empty for a tag that it lacks. Their methods throw if it is
 * damaged.
 */
export class RpmTags {
  readonly #places = new Map<number, { type: number; at: number; count: number }>()
  readonly #data: Buffer

  private constructor(data: Buffer) {
    this.#data = data
  }

  static async read(file: PackageFile, { start, data, end }: HeaderPlace): Promise<RpmTags> {
    const tags = new RpmTags(await file.read(data, end - data))
    const index = await file.read(start + INTRO_BYTES, data - start - INTRO_BYTES)

    for (let at = 0; at < index.length; at += ENTRY_BYTES) {
      const tag = index.readUInt32BE(at)
      const place = {
        type: index.readUInt32BE(at + 4),
        at: index.readUInt32BE(at + 8),
        count: index.readUInt32BE(at + 12),
      }

      if (!tags.#places.has(tag)) tags.#places.set(tag, place)
    }
    return tags
  }

  has(tag: number): boolean {
    return this.#places.has(tag)
  }

  text(tag: number): string | undefined {
    return this.texts(tag, 1)[0]
  }

  texts(tag: number, most = MOST_VALUES): string[] {
    const place = this.#places.get(tag)
    if (!place || !TEXTS.has(place.type)) return []

    const texts: string[] = []
    for (let at = place.at; texts.length < Math.min(place.count, most);) {
      const end = this.#data.indexOf(0, at)
      if (end < 0) throw new RangeError('A text has no end')
      texts.push(this.#data.toString('utf8', at, end))
      at = end + 1
    }

    if (texts.length === MOST_VALUES) throw new RangeError('Too many values')
    return texts
  }

  number(tag: number): number | undefined {
    return this.numbers(tag, 1)[0]
  }

  numbers(tag: number, most = MOST_VALUES): number[] {
    const { type = 0, at = 0, count = 0 } = this.#places.get(tag) ?? {}
    const bytes = NUMBER_BYTES.get(type)
    if (bytes === undefined) return []

    const valueAt = (position: number) => {
      const value =
        bytes === 8
          ? Number(this.#data.readBigUInt64BE(position))
          : this.#data.readUIntBE(position, bytes)

      if (!Number.isSafeInteger(value)) throw new RangeError('A number is too large')
      return value
    }

    return Array.from({ length: Math.min(count, most) }, (_, index) => valueAt(at + index * bytes))
  }
}
