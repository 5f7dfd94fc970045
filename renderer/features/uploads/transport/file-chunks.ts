import type { FileReader } from 'tus-js-client'
import { fileChanged } from './file-changed'
import { fingerprintOf } from './file-fingerprint'

/**
 * Hands a file out in pieces that are in memory. Safari and iOS hang on the second request with a piece that is still
 * on disk. Before the last piece the fingerprint is taken again, so that a file that was changed meanwhile, which not
 * every browser notices, is not published half old and half new.
 */
export function chunksOf(file: File, fingerprint: string): FileReader {
  const slice = async (start: number, end: number) => {
    if (end >= file.size && (await fingerprintOf(file)) !== fingerprint) throw fileChanged(file)
    return { value: await read(file, start, end), done: end >= file.size }
  }
  return { openFile: () => Promise.resolve({ size: file.size, slice, close: () => undefined }) }
}

/** A Blob again, because browsers copy a bare buffer on the thread of the page before they send it. */
async function read(file: File, start: number, end: number): Promise<Blob> {
  const bytes = await file
    .slice(start, end)
    .arrayBuffer()
    .catch(() => undefined)
  if (bytes?.byteLength !== end - start) throw fileChanged(file)
  return new Blob([bytes])
}
