import type { SentSource } from '../upload'
import { fileChanged } from './file-changed'

/**
 * Samples this many pieces of this size, spread evenly over the file, including its first and last
 * bytes.
 */
const PIECES = 64
const PIECE_BYTES = 4096

/**
 * Identifies the file of an interrupted upload by name, size, modification time and sampled bytes:
 * 16 hexadecimal digits. A folder knows its own. Not cryptographic: browsers offer that to secure
 * origins only, and a forged upload harms only its owner. Throws ApiError if the file cannot be
 * read.
 */
export async function computeFingerprint(file: SentSource): Promise<string> {
  if (!(file instanceof File)) return file.fingerprint()
  const sample = await readSample(file)
  const facts = new TextEncoder().encode(JSON.stringify([file.name, file.size, file.lastModified]))
  return digest([facts, sample])
}

async function readSample(file: File): Promise<Uint8Array> {
  if (file.size <= PIECES * PIECE_BYTES) return read(file, file)
  const step = (file.size - PIECE_BYTES) / (PIECES - 1)
  const starts = Array.from({ length: PIECES }, (_, index) => Math.round(index * step))
  return read(new Blob(starts.map((start) => file.slice(start, start + PIECE_BYTES))), file)
}

async function read(bytes: Blob, file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await bytes.arrayBuffer())
  } catch {
    throw fileChanged(file)
  }
}

/** cyrb53 (github.com/bryc/code, public domain), keeping both halves. */
export function digest(parts: readonly Uint8Array[]): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (const part of parts) {
    for (const byte of part) {
      high = Math.imul(high ^ byte, 2654435761)
      low = Math.imul(low ^ byte, 1597334677)
    }
  }
  const mixed = [mix(high, low), mix(low, high)]
  return mixed.map((half) => half.toString(16).padStart(8, '0')).join('')
}

const mix = (half: number, other: number): number =>
  (Math.imul(half ^ (half >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909)) >>>
  0
