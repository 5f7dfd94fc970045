import type { PackageFile } from './package-file.ts'

/** Limits what is read, in bytes: resource directories have some hundred entries, version texts about 1 kB. */
const MOST_BYTES = 64 * 1024
const VERSION_RESOURCE = 16
/** The resources are the third data directory; its offset depends on the address width. */
const DIRECTORIES: Readonly<Record<number, number>> = { 0x10b: 96, 0x20b: 112 }
const RESOURCES = 2
const SECTION_BYTES = 40
const KEY = Buffer.from('ProductVersion\0', 'utf16le')

interface Section {
  address: number
  length: number
  offset: number
}

/** Reads the ProductVersion of a Windows program. Null if it is missing. Throws if it is not a program. */
export async function productVersion(file: PackageFile): Promise<string | null> {
  const { root, offsetOf } = await resourcesOf(file)
  const types = await entriesAt(file, root)
  const versions = types.find(({ id }) => id === VERSION_RESOURCE)
  if (!versions) return null
  // Programs have one version resource in one language.
  const [resource] = await entriesAt(file, root + below(versions.place))
  const [language] = await entriesAt(file, root + below(resource?.place))
  const leaf = await file.read(root + (language?.place ?? NaN), 8)
  const length = Math.min(leaf.readUInt32LE(4), MOST_BYTES)
  return textIn(await file.read(offsetOf(leaf.readUInt32LE(0)), length))
}

async function resourcesOf(file: PackageFile): Promise<{ root: number; offsetOf: (address: number) => number }> {
  const dos = await file.read(0, 64)
  const start = dos.readUInt32LE(60)
  const head = await file.read(start, 24)
  if (dos.toString('latin1', 0, 2) !== 'MZ' || head.readUInt32BE(0) !== 0x50450000) throw new Error('Not a program')
  const count = head.readUInt16LE(6)
  const size = head.readUInt16LE(20)
  const optional = await file.read(start + 24, size)
  const directories = DIRECTORIES[optional.readUInt16LE(0)]
  if (directories === undefined) throw new Error('Unsupported kind of program')
  const sections = sectionsIn(await file.read(start + 24 + size, count * SECTION_BYTES))
  const offsetOf = (address: number) => {
    const section = sections.find((it) => address >= it.address && address < it.address + it.length)
    if (!section) throw new RangeError('No such address')
    return section.offset + address - section.address
  }
  return { root: offsetOf(optional.readUInt32LE(directories + 8 * RESOURCES)), offsetOf }
}

function sectionsIn(table: Buffer): Section[] {
  const starts = Array.from({ length: table.length / SECTION_BYTES }, (_, index) => index * SECTION_BYTES)
  return starts.map((at) => ({
    address: table.readUInt32LE(at + 12),
    length: table.readUInt32LE(at + 16),
    offset: table.readUInt32LE(at + 20),
  }))
}

/** Reads a resource directory. Named entries come first and match no numeric id. */
async function entriesAt(file: PackageFile, position: number): Promise<{ id: number; place: number }[]> {
  const head = await file.read(position, 16)
  const count = head.readUInt16LE(12) + head.readUInt16LE(14)
  const entries = await file.read(position + 16, Math.min(count * 8, MOST_BYTES))
  const starts = Array.from({ length: entries.length / 8 }, (_, index) => index * 8)
  return starts.map((at) => ({ id: entries.readUInt32LE(at), place: entries.readUInt32LE(at + 4) }))
}

function below(place = 0): number {
  if (place < 0x80000000) throw new Error('No directory')
  return place - 0x80000000
}

/** Finds a value in a block of texts: it follows its key, aligned to four bytes. */
function textIn(block: Buffer): string | null {
  const at = block.indexOf(KEY)
  if (at < 0) return null
  const start = Math.ceil((at + KEY.length) / 4) * 4
  const [text] = block.toString('utf16le', start).split('\0', 1)
  return text ?? null
}
