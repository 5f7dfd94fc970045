import { gunzipSync } from 'node:zlib'
import { parseJson } from '../../../core/json'

/** Limits how much a block map is unpacked, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Where electron-updater looks for the block map of a file: beside it, at its end (electron-builder
 * writes it there), or nowhere.
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

/** Whether the host has not made the map of a program yet, nor what zsync needs of an AppImage. */
export function isUnmapped({ filename, blockMapSize, zsyncSize }: MapSizes): boolean {
  const place = blockMapPlace(filename)
  return place !== undefined && (place === 'beside' ? blockMapSize : zsyncSize) === undefined
}

/** Whether bytes are a block map that can be read. */
export function isBlockMap(bytes: Buffer): boolean {
  try {
    return parseJson(gunzipSync(bytes, { maxOutputLength: MOST_BYTES }).toString()) !== undefined
  } catch {
    return false
  }
}
