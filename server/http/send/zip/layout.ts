import type { ByteRange } from '../range'
import { centralHeader, centralLength, endRecord, localHeader, localLength, type ZipEntry } from './records'

/** A stretch of a zip: bytes that are made when they are asked for, or those of a file. */
export interface Stretch {
  /** Where it begins in the zip. */
  start: number
  length: number
  from: { bytes(): Buffer } | { entry: number }
}

/** Where every byte of a zip comes from. The same entries give the same zip, to the last bit. */
export interface ZipLayout {
  /** Bytes. */
  size: number
  /** None is empty, and each begins where the one before ends. */
  stretches: readonly Stretch[]
}

/** Lays out a zip of stored files: what it holds follows from the entries alone, so that any range can be sent. */
export function layOutZip(entries: readonly ZipEntry[]): ZipLayout {
  const stretches: Stretch[] = []
  let size = 0
  const add = (length: number, from: Stretch['from']) => {
    if (length > 0) stretches.push({ start: size, length, from })
    size += length
  }

  const offsets = entries.map((entry, index) => {
    const offset = size
    add(localLength(entry), { bytes: () => localHeader(entry) })
    add(entry.size, { entry: index })
    return offset
  })
  const directory = size
  for (const [index, entry] of entries.entries()) {
    const offset = offsets[index] ?? 0
    add(centralLength(entry, offset), { bytes: () => centralHeader(entry, offset) })
  }
  const end = endRecord(entries.length, size - directory, directory)
  add(end.length, { bytes: () => end })
  return { size, stretches }
}

/** The index of the stretch that holds this byte of the zip; as many as there are: it lies behind the end. */
export function stretchAt({ stretches }: ZipLayout, position: number): number {
  let low = 0
  let high = stretches.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const { start, length } = stretches[middle] ?? { start: 0, length: 0 }
    if (start + length <= position) low = middle + 1
    else high = middle
  }
  return low
}

/** Which bytes of which entries a range of the zip has. */
export function* entriesIn(
  layout: ZipLayout,
  { start, end }: ByteRange,
): Generator<{ entry: number; range: ByteRange }> {
  for (let index = stretchAt(layout, start); index < layout.stretches.length; index++) {
    const stretch = layout.stretches[index]
    if (stretch === undefined || stretch.start > end) return
    if (!('entry' in stretch.from)) continue
    const first = Math.max(start, stretch.start) - stretch.start
    const last = Math.min(end, stretch.start + stretch.length - 1) - stretch.start
    yield { entry: stretch.from.entry, range: { start: first, end: last } }
  }
}
