import { gunzipSync } from 'node:zlib'
import { parseJson } from '../../../core/json'

/** Limits how much a block map is unpacked, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Place in which electron-updater expects the block map of a file: in a file of its own, or at the
 * end, where electron-builder writes it.
 */
export function blockMapPlace(filename: string): 'beside' | 'inside' | undefined {
  if (/\.(exe|zip)$/i.test(filename)) return 'beside'
  return /\.appimage$/i.test(filename) ? 'inside' : undefined
}

interface MapSizes {
  filename: string
  blockMapSize?: number | undefined
  zsyncSize?: number | undefined
}

/**
 * Whether the host still has to make the block map of a program, or the zsync sums of an AppImage.
 */
export function isUnmapped({ filename, blockMapSize, zsyncSize }: MapSizes): boolean {
  const place = blockMapPlace(filename)
  return place !== undefined && (place === 'beside' ? blockMapSize : zsyncSize) === undefined
}

/** Whether bytes are a readable block map. */
export function isBlockMap(bytes: Buffer): boolean {
  try {
    return parseJson(gunzipSync(bytes, { maxOutputLength: MOST_BYTES }).toString()) !== undefined
  } catch {
    return false
  }
}
