import type { FileReader } from 'tus-js-client'
import { fileChanged } from './file-changed'
import { fingerprintOf } from './file-fingerprint'

/**
 * Reads a file in in-memory pieces: Safari and iOS hang on the second request with a piece on disk. Before the last
 * piece it compares the fingerprint again, because not every browser notices a changed file.
 */
export function chunksOf(file: File, fingerprint: string): FileReader {
  const slice = async (start: number, end: number) => {
    if (end >= file.size && (await fingerprintOf(file)) !== fingerprint) throw fileChanged(file)
    return { value: await read(file, start, end), done: end >= file.size }
  }
  return { openFile: () => Promise.resolve({ size: file.size, slice, close: () => undefined }) }
}

/** A Blob, because browsers copy a bare buffer on the main thread before they send it. */
async function read(file: File, start: number, end: number): Promise<Blob> {
  const bytes = await file
    .slice(start, end)
    .arrayBuffer()
    .catch(() => undefined)
  if (bytes?.byteLength !== end - start) throw fileChanged(file)
  return new Blob([bytes])
}
