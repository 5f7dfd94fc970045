/** Below this a buffer may be part of a pool, and is not worth the call. */
const LEAST_BYTES = 8 * 1024

/**
 * Gives the memory of chunks back at once. Node would do it in a full collection, 15 to 26 of which one GiB of an upload
 * drives, each as slow as the library is large. Only for whole buffers that nobody reads any more: they are empty then.
 */
export function releaseMemory(chunks: readonly Buffer[]): void {
  for (const { buffer, byteOffset, byteLength } of chunks) {
    const isWhole = byteOffset === 0 && byteLength === buffer.byteLength && byteLength >= LEAST_BYTES
    if (isWhole && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
  }
}
