import { memorySource } from '../../../core/byte-source.ts'
import type { DiskFacts } from '../../../contract/files/facts'
import { noFacts, Unreadable, type Look } from '../look.ts'
import { optional } from '../optional.ts'
import { PackageFile } from '../package-file.ts'
import { openUnpacked } from '../linux/tar-start.ts'
import { readFat } from './fat.ts'
import { readPartitions, type Partitions } from './partitions.ts'
import { readUnpackedSize } from './unpacked-size.ts'

/**
 * How many bytes of a compressed image to unpack. Images for a Raspberry Pi have their file names
 * within this range.
 */
const MOST_BYTES = 12 * 1024 * 1024
/** Partitions that are looked into. */
const MOST_FATS = 4
const TOO_MUCH = 'Unpacking this image takes too much memory, or it is damaged.'
const PACKED = ['1f8b', '28b52ffd', 'fd377a585a00']

/**
 * Reads a disk image, also one that is compressed by gzip, xz or Zstandard: what starts it, its
 * label and its size.
 */
export async function readRawImage(file: PackageFile): Promise<Look> {
  const magic = file.size < 18 ? '' : (await file.read(0, 6)).toString('hex')
  const isPacked = PACKED.some((start) => magic.startsWith(start))
  if (!isPacked && file.size < 512) throw new Unreadable('This is not a disk image.')
  if (!isPacked) return describe(await readDisk(file), file.size)
  const start = await unpackStart(file)
  const disk = await readDisk(start)
  return describe(disk, await readUnpackedSize(file, disk.end ?? start.size))
}

interface Disk {
  end: number | undefined
  label: string | null
  boots: DiskFacts['boots']
  architectures: string[]
}

function describe({ label, boots, architectures }: Disk, size: number | null): Look {
  return {
    facts: { ...noFacts('img'), name: label, architectures, disk: { size, boots } },
    icon: null,
  }
}

/** Reads a raw disk, which may be truncated. */
async function readDisk(file: PackageFile): Promise<Disk> {
  const partitions = await optional(() => readPartitions(file))
  const fats = await readFats(file, partitions)

  const all = <T>(items: (fat: (typeof fats)[number]) => readonly T[]) => [
    ...new Set(fats.flatMap(items)),
  ]
  return {
    end: partitions?.end,
    label: fats.find(({ label }) => label !== null)?.label ?? null,
    boots: [...(partitions?.startsBios ? (['BIOS'] as const) : []), ...all(({ boots }) => boots)],
    architectures: all(({ architectures }) => architectures),
  }
}

/** Without a partition table, the whole may be one file system, as of a floppy disk. */
async function readFats(file: PackageFile, partitions: Partitions | null) {
  const places = partitions?.fats.slice(0, MOST_FATS) ?? [{ position: 0, length: file.size }]
  const fats = []
  for (const { position, length } of places) {
    const fat = await optional(() =>
      readFat(file.part(position, Math.min(length, file.size - position))),
    )
    if (fat) fats.push(fat)
  }
  return fats
}

/** The start of a compressed image, in memory. */
async function unpackStart(file: PackageFile): Promise<PackageFile> {
  const chunks: Uint8Array[] = []
  let length = 0

  try {
    const unpacked = await openUnpacked(file)
    try {
      while (length < MOST_BYTES) {
        const next = await unpacked.next()
        if (next.done === true) break
        chunks.push(next.value)
        length += next.value.length
      }
    } finally {
      await unpacked.return?.()
    }
  } catch (cause) {
    throw cause instanceof Unreadable ? cause : new Unreadable(TOO_MUCH)
  }

  return new PackageFile(memorySource(Buffer.concat(chunks, length)), length)
}
