import { Unreadable } from '../look.ts'
import type { PackageFile } from '../package-file.ts'

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const HEADER_BYTES = 512
/** The header has the first places of the sector table; further ones are in a chain of sectors. */
const PLACES_IN_HEADER = 109
const SMALL_SECTOR_BYTES = 64
const ENTRY_BYTES = 128
const STREAM = 2
/** Greater numbers are no sectors: free, end of a chain. */
const LAST_SECTOR = 0xfffffffa
/** Limit for one stream and for the directory, which then has up to 32,768 streams. */
const MOST_BYTES = 4 * 1024 * 1024
/** Limits the sectors that have the small ones: 32 MB, of which we read parts. */
const MOST_SMALL = 64 * 1024
/** The chain of places for a file of 8 GB. */
const MOST_PLACE_SECTORS = 1024

interface Entry {
  start: number
  /** Bytes. */
  length: number
}

/** Sectors of one size, which a table chains. */
interface Sectors {
  bytes: number
  next: (sector: number) => Promise<number> | number
  /** Returns the offset of a sector in the file. */
  positionOf: (sector: number) => number
}

/**
 * A compound file ([MS-CFB]). Reads only the sectors that it needs. Streams in storages below the
 * root are not found.
 */
export class CompoundFile {
  readonly #file: PackageFile
  readonly #large: Sectors
  readonly #small: Sectors
  /** Shorter streams have small sectors; in bytes. */
  readonly #cutoff: number
  readonly #streams: ReadonlyMap<string, Entry>

  private constructor(
    file: PackageFile,
    parts: { large: Sectors; small: Sectors; cutoff: number; streams: Streams },
  ) {
    this.#file = file
    this.#large = parts.large
    this.#small = parts.small
    this.#cutoff = parts.cutoff
    this.#streams = parts.streams
  }

  /** Null if it is no compound file. */
  static async open(file: PackageFile): Promise<CompoundFile | null> {
    const header = file.size < HEADER_BYTES ? undefined : await file.read(0, HEADER_BYTES)
    if (!header?.subarray(0, 8).equals(SIGNATURE)) return null

    const large = await largeSectors(file, header)
    const directory = await readChain(
      file,
      large,
      header.readUInt32LE(48),
      MOST_BYTES / large.bytes,
    )

    const small = await smallSectors(file, header, {
      large,
      root: directory.subarray(0, ENTRY_BYTES),
    })

    return new CompoundFile(file, {
      large,
      small,
      cutoff: header.readUInt32LE(56),
      streams: streamsIn(directory),
    })
  }

  has(name: string): boolean {
    return this.#streams.has(name)
  }

  /** Reads a stream. Throws if it is missing, damaged or has over 4 MiB. */
  async read(name: string): Promise<Buffer> {
    const entry = this.#streams.get(name)
    if (!entry) throw new Error('No such stream')
    if (entry.length > MOST_BYTES)
      throw new Unreadable('The description of this package is too large to read.')

    const sectors = entry.length < this.#cutoff ? this.#small : this.#large
    const bytes = await readChain(
      this.#file,
      sectors,
      entry.start,
      Math.ceil(entry.length / sectors.bytes),
    )

    if (bytes.length < entry.length) throw new Error('The stream ends too early')
    return bytes.subarray(0, entry.length)
  }
}

type Streams = ReadonlyMap<string, Entry>

/** The sectors from `start` on, at most `most`. */
async function chainFrom(sectors: Sectors, start: number, most: number): Promise<number[]> {
  const chain = new Set<number>()
  for (let sector = start; sector <= LAST_SECTOR && chain.size < most;) {
    if (chain.has(sector)) throw new Error('The chain is a ring')
    chain.add(sector)
    sector = await sectors.next(sector)
  }
  return [...chain]
}

async function readChain(
  file: PackageFile,
  sectors: Sectors,
  start: number,
  most: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (const sector of await chainFrom(sectors, start, most)) {
    chunks.push(await file.read(sectors.positionOf(sector), sectors.bytes))
  }
  return Buffer.concat(chunks)
}

async function largeSectors(file: PackageFile, header: Buffer): Promise<Sectors> {
  const bytes = 2 ** header.readUInt16LE(30)
  if (bytes !== 512 && bytes !== 4096) throw new Error('Unsupported size of sectors')

  const places = Array.from({ length: PLACES_IN_HEADER }, (_, index) =>
    header.readUInt32LE(76 + 4 * index),
  )

  // The header takes the place of one sector, large ones too.
  const positionOf = (sector: number) => (sector + 1) * bytes
  const perSector = bytes / 4

  let following = header.readUInt32LE(68)
  for (let count = 0; following <= LAST_SECTOR && count < MOST_PLACE_SECTORS; count++) {
    const part = await file.read(positionOf(following), bytes)
    for (let index = 0; index < perSector - 1; index++) places.push(part.readUInt32LE(4 * index))
    following = part.readUInt32LE(bytes - 4)
  }

  const cache = new Map<number, Buffer>()
  const next = async (sector: number) => {
    const place = places[Math.floor(sector / perSector)] ?? NaN
    const part = cache.get(place) ?? (await file.read(positionOf(place), bytes))
    cache.set(place, part)
    return part.readUInt32LE(4 * (sector % perSector))
  }
  return { bytes, next, positionOf }
}

/** The root's stream has all small sectors; a separate table chains them. */
async function smallSectors(
  file: PackageFile,
  header: Buffer,
  { large, root }: { large: Sectors; root: Buffer },
): Promise<Sectors> {
  const bytes = SMALL_SECTOR_BYTES

  const table = await readChain(file, large, header.readUInt32LE(60), MOST_BYTES / large.bytes)
  const most = Math.min(Math.ceil(root.readUInt32LE(120) / large.bytes), MOST_SMALL)
  const chain = await chainFrom(large, root.readUInt32LE(116), most)

  const positionOf = (sector: number) => {
    const at = sector * bytes
    return large.positionOf(chain[Math.floor(at / large.bytes)] ?? NaN) + (at % large.bytes)
  }
  return { bytes, next: (sector) => table.readUInt32LE(4 * sector), positionOf }
}

/** The streams of the root. The entries of a storage are a binary tree. */
function streamsIn(directory: Buffer): Streams {
  const streams = new Map<string, Entry>()
  const open = [directory.readUInt32LE(76)]
  const visited = new Set<number>()

  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const entry = directory.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES)
    if (entry.length < ENTRY_BYTES || visited.has(index)) continue
    visited.add(index)
    open.push(entry.readUInt32LE(68), entry.readUInt32LE(72))

    const name = entry.toString('utf16le', 0, Math.max(0, Math.min(entry.readUInt16LE(64), 64) - 2))
    if (entry.readUInt8(66) !== STREAM) continue
    streams.set(name, { start: entry.readUInt32LE(116), length: entry.readUInt32LE(120) })
  }
  return streams
}
