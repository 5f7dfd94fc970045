import type { PackageFile, Place } from '../package-file.ts'
import { isSmallPng } from '../../../core/small-png.ts'
import type { Program } from './portable-executable.ts'

/** Limits the entries of one directory; real ones have some hundred. */
const MOST_ENTRIES = 8192
const DIRECTORY = 0x80000000

/** Resource types (winuser.h). */
const ICON = 3
const ICON_GROUP = 14
const VERSION = 16

/** Version resources have about 1 kB. */
const MOST_VERSION_BYTES = 64 * 1024
const MOST_ICON_BYTES = 512 * 1024
const MOST_ICONS = 32
const GROUP_BYTES = 6
const GROUP_ENTRY_BYTES = 14

interface Entry {
  id: number
  place: number
}

/**
 * Reads the texts of the version resource (VS_VERSIONINFO, Microsoft) by key. Each has its length,
 * its type and its key before it, and begins at a multiple of four bytes. The first language
 * counts. Null: the text is missing or empty.
 */
export async function versionTexts(
  file: PackageFile,
  program: Program,
): Promise<(key: string) => string | null> {
  const place = await findResource(file, program, VERSION)
  const block =
    place && (await file.read(place.position, Math.min(place.length, MOST_VERSION_BYTES)))

  return (key) => {
    const needle = Buffer.from(`${key}\0`, 'utf16le')
    const at = block?.indexOf(needle) ?? -1
    if (!block || at < 6 || block.readUInt16LE(at - 4) === 0) return null

    const start = Math.ceil((at + needle.length) / 4) * 4
    const [text = ''] = block.toString('utf16le', start).split('\0', 1)
    return text.trim() === '' ? null : text.trim()
  }
}

/**
 * The largest PNG of the first icon group (GRPICONDIR, "Icons", Microsoft). Null: it has only
 * bitmaps, or no icon.
 */
export async function programIcon(file: PackageFile, program: Program): Promise<Buffer | null> {
  const place = await findResource(file, program, ICON_GROUP)
  if (!place) return null

  const group = await file.read(
    place.position,
    Math.min(place.length, GROUP_BYTES + MOST_ICONS * GROUP_ENTRY_BYTES),
  )
  const count = Math.min(
    group.readUInt16LE(4),
    Math.floor((group.length - GROUP_BYTES) / GROUP_ENTRY_BYTES),
  )

  const entries = Array.from({ length: count }, (_, index) =>
    group.subarray(GROUP_BYTES + index * GROUP_ENTRY_BYTES),
  )
  for (const entry of entries.toSorted((a, b) => qualityOf(b) - qualityOf(a))) {
    const icon = await findResource(file, program, ICON, entry.readUInt16LE(12))
    if (!icon || icon.length > MOST_ICON_BYTES) continue

    const bytes = await file.read(icon.position, icon.length)
    if (isSmallPng(bytes)) return bytes
  }
  return null
}

/** Compares icons by width, with 0 for 256, then by color depth. */
const qualityOf = (entry: Buffer): number =>
  (entry.readUInt8(0) || 256) * 256 + Math.min(entry.readUInt16LE(6), 255)

/**
 * The bytes of a resource in its first language: the one with this id, or the first of its type.
 * Null: missing.
 */
async function findResource(
  file: PackageFile,
  program: Program,
  type: number,
  id?: number,
): Promise<Place | null> {
  if (!program.resources) return null
  const { root, locate: placeOf } = program.resources

  const typeEntry = (await readEntries(file, root)).find((it) => it.id === type)
  if (!typeEntry) return null

  const names = await readEntries(file, root + below(typeEntry))
  const name = id === undefined ? names[0] : names.find((it) => it.id === id)
  const [language] = name ? await readEntries(file, root + below(name)) : []

  if (!language) return null
  const leaf = await file.read(root + language.place, 8)
  return placeOf(leaf.readUInt32LE(0), leaf.readUInt32LE(4))
}

/** Reads a resource directory. Named entries come first and match no numeric id. */
async function readEntries(file: PackageFile, position: number): Promise<Entry[]> {
  const head = await file.read(position, 16)
  const count = head.readUInt16LE(12) + head.readUInt16LE(14)
  const entries = await file.read(position + 16, 8 * Math.min(count, MOST_ENTRIES))
  const starts = Array.from({ length: entries.length / 8 }, (_, index) => index * 8)
  return starts.map((at) => ({ id: entries.readUInt32LE(at), place: entries.readUInt32LE(at + 4) }))
}

function below({ place }: Entry): number {
  if (place < DIRECTORY) throw new Error('No directory')
  return place - DIRECTORY
}
