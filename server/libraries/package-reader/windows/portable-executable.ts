import { Unreadable } from '../look.ts'
import { optional as optionally } from '../optional.ts'
import type { PackageFile, Place } from '../package-file.ts'

const PE = 0x50450000
/** The data directories; their offset depends on the address width. */
const DIRECTORIES: Readonly<Record<number, number>> = { 0x10b: 96, 0x20b: 112 }
const RESOURCES = 2
const CERTIFICATES = 4
/** The header of .NET (ECMA-335 §II.25.3.3). */
const CLR = 14
const CLR_FLAGS_AT = 16
const ILONLY = 0x1
const REQUIRES_32_BIT = 0x2
const SECTION_BYTES = 40

interface Section extends Place {
  address: number
}

/** The headers of a Windows program (PE Format, Microsoft). */
export interface Program {
  machine: number
  /** A .NET program that any processor runs. */
  isManaged: boolean
  /** Position of the root of the resources, and the place of one; null: there are none. */
  resources: { root: number; locate: (address: number, length: number) => Place } | null
  certificates: Place | null
  /** Offset of the bytes after the last section, which installers use. */
  end: number
}

/** Throws Unreadable if it is not a program for Windows. */
export async function openProgram(file: PackageFile): Promise<Program> {
  const notOne = () => new Unreadable('This is not a Windows program.')
  if (file.size < 64) throw notOne()

  const dos = await file.read(0, 64)
  const start = dos.readUInt32LE(60)
  if (dos.toString('latin1', 0, 2) !== 'MZ') throw notOne()

  const head = await file.read(start, 24)
  if (head.readUInt32BE(0) !== PE) throw notOne()

  const optional = await file.read(start + 24, head.readUInt16LE(20))
  const table = await file.read(start + 24 + optional.length, head.readUInt16LE(6) * SECTION_BYTES)
  const sections = sectionsIn(table)

  const locate = (address: number, length: number): Place => {
    const section = sections.find(
      (it) => address >= it.address && address + length <= it.address + it.length,
    )
    if (!section) throw new RangeError('No such address')
    return { position: section.position + address - section.address, length }
  }

  const resources = readDirectory(optional, RESOURCES)

  return {
    machine: head.readUInt16LE(4),
    isManaged: await runsAnywhere(file, readDirectory(optional, CLR), locate),
    resources: resources && { root: locate(resources.position, 16).position, locate },
    // The only directory with a position in the file instead of an address.
    certificates: readDirectory(optional, CERTIFICATES),
    end: Math.max(0, ...sections.map(({ position, length }) => position + length)),
  }
}

async function runsAnywhere(
  file: PackageFile,
  clr: Place | null,
  placeOf: (address: number, length: number) => Place,
): Promise<boolean> {
  if (!clr) return false
  const place = await optionally(() => Promise.resolve(placeOf(clr.position + CLR_FLAGS_AT, 4)))
  if (!place) return false
  const flags = (await file.read(place.position, 4)).readUInt32LE()
  return (flags & ILONLY) !== 0 && (flags & REQUIRES_32_BIT) === 0
}

function readDirectory(optional: Buffer, index: number): Place | null {
  const directories = DIRECTORIES[optional.readUInt16LE(0)]
  if (directories === undefined) throw new Unreadable('This is not a Windows program.')
  if (index >= optional.readUInt32LE(directories - 4)) return null
  const at = directories + 8 * index
  const place = { position: optional.readUInt32LE(at), length: optional.readUInt32LE(at + 4) }
  return place.position === 0 || place.length === 0 ? null : place
}

function sectionsIn(table: Buffer): Section[] {
  const starts = Array.from(
    { length: table.length / SECTION_BYTES },
    (_, index) => index * SECTION_BYTES,
  )
  return starts.map((at) => ({
    address: table.readUInt32LE(at + 12),
    length: table.readUInt32LE(at + 16),
    position: table.readUInt32LE(at + 20),
  }))
}
