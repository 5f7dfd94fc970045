import type { PackageFile, Place } from '../package-file.ts'
import { findBoots, type BootFacts } from './boot-files.ts'

/** Limits how much of one folder is read, in bytes: 2,048 names. */
const MOST_FOLDER = 64 * 1024
const ENTRY = 32
const LABEL = 0x08
const FOLDER = 0x10
const LONG_NAME = 0x0f

/** A FAT file system ("FAT: General Overview of On-Disk Format", Microsoft). */
interface Volume {
  file: PackageFile
  bits: 12 | 16 | 32
  clusterBytes: number
  clusters: number
  /** Offset from the start, in bytes. */
  table: number
  root: Place | { cluster: number }
  data: number
}

interface Entry {
  /** Upper-case name, such as `KERNEL8.IMG`. */
  name: string
  attributes: number
  cluster: number
}

/**
 * Reads the label and boot files of a FAT file system. Returns null if it is none. Throws if it is
 * damaged.
 */
export async function readFat(
  file: PackageFile,
): Promise<(BootFacts & { label: string | null }) | null> {
  const volume = await openVolume(file)
  if (!volume) return null

  const root = await readFolder(volume, volume.root)
  const label = root.find(({ attributes }) => (attributes & LABEL) !== 0)
  const efi = await readNamed(volume, await readNamed(volume, root, 'EFI'), 'BOOT')

  const names = (entries: readonly Entry[]) => entries.map(({ name }) => name)
  return {
    ...findBoots(names(root), names(efi)),
    label: label?.name.replace('.', '').trim() || null,
  }
}

async function openVolume(file: PackageFile): Promise<Volume | undefined> {
  const head = file.size < 512 ? undefined : await file.read(0, 512)
  const sector = head?.readUInt16LE(11) ?? 0
  if (!head || ![512, 1024, 2048, 4096].includes(sector) || head.readUInt16LE(510) !== 0xaa55)
    return undefined

  const perCluster = head.readUInt8(13)
  const reserved = head.readUInt16LE(14)
  const copies = head.readUInt8(16)
  if (perCluster === 0 || reserved === 0 || copies === 0) return undefined

  const rootBytes = head.readUInt16LE(17) * ENTRY
  const sectors = head.readUInt16LE(19) || head.readUInt32LE(32)
  const tableSectors = head.readUInt16LE(22) || head.readUInt32LE(36)
  const table = reserved * sector
  const root = table + copies * tableSectors * sector
  const data = root + Math.ceil(rootBytes / sector) * sector

  const clusters = Math.floor((sectors * sector - data) / (perCluster * sector))
  if (tableSectors === 0 || clusters < 1) return undefined

  const bits = rootBytes === 0 ? 32 : clusters < 4085 ? 12 : 16
  return {
    file,
    bits,
    clusterBytes: perCluster * sector,
    clusters,
    table,
    root: bits === 32 ? { cluster: head.readUInt32LE(44) } : { position: root, length: rootBytes },
    data,
  }
}

async function readNamed(
  volume: Volume,
  entries: readonly Entry[],
  name: string,
): Promise<Entry[]> {
  const folder = entries.find((entry) => entry.name === name && (entry.attributes & FOLDER) !== 0)
  return folder ? readFolder(volume, folder) : []
}

async function readFolder(volume: Volume, place: Volume['root']): Promise<Entry[]> {
  if ('position' in place)
    return parseFolder(await volume.file.read(place.position, Math.min(place.length, MOST_FOLDER)))

  const parts: Buffer[] = []
  let { cluster } = place
  // A chain may lead to itself: the limit ends it.
  for (let left = MOST_FOLDER; left > 0 && cluster >= 2 && cluster < volume.clusters + 2;) {
    const length = Math.min(left, volume.clusterBytes)
    const part = await volume.file.read(volume.data + (cluster - 2) * volume.clusterBytes, length)
    parts.push(part)
    left -= length

    // The first byte of an entry is zero where the folder ends.
    if (part.readUInt8(length - ENTRY) === 0) break
    cluster = await readNext(volume, cluster)
  }
  return parseFolder(Buffer.concat(parts))
}

async function readNext({ file, bits, table }: Volume, cluster: number): Promise<number> {
  const at = table + Math.floor((cluster * bits) / 8)
  if (bits === 32) return (await file.read(at, 4)).readUInt32LE() & 0x0fffffff
  const value = (await file.read(at, 2)).readUInt16LE()
  if (bits === 16) return value
  return cluster % 2 === 0 ? value & 0xfff : value >> 4
}

function parseFolder(bytes: Buffer): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at + ENTRY <= bytes.length && bytes.readUInt8(at) !== 0; at += ENTRY) {
    const attributes = bytes.readUInt8(at + 11)
    if (bytes.readUInt8(at) === 0xe5 || (attributes & 0x3f) === LONG_NAME) continue

    const stem = bytes.toString('latin1', at, at + 8).trimEnd()
    const extension = bytes.toString('latin1', at + 8, at + 11).trimEnd()
    // A label has no extension; it is 11 characters.
    const isLabel = (attributes & LABEL) !== 0
    const name = isLabel
      ? bytes.toString('latin1', at, at + 11)
      : extension === ''
        ? stem
        : `${stem}.${extension}`

    entries.push({
      name,
      attributes,
      cluster: bytes.readUInt16LE(at + 20) * 65_536 + bytes.readUInt16LE(at + 26),
    })
  }
  return entries
}
