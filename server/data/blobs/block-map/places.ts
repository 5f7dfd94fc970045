import { gunzipSync } from 'node:zlib'
import { parseJson } from '../../../core/json'

/** Limits how much a block map is unpacked, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Where electron-updater looks for the block map of a file: beside it, at its end (electron-builder writes it there), or
 * nowhere.
 */
export function blockMapPlace(filename: string): 'beside' | 'inside' | undefined {
  if (/\.(exe|zip)$/i.test(filename)) return 'beside'
  return /\.appimage$/i.test(filename) ? 'inside' : undefined
}

/** Whether bytes are a block map that can be read. */
export function isBlockMap(bytes: Buffer): boolean {
  try {
    return parseJson(gunzipSync(bytes, { maxOutputLength: MOST_BYTES }).toString()) !== undefined
  } catch {
    return false
  }
}
