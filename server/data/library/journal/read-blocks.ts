import { open } from 'node:fs/promises'

const BLOCK_BYTES = 1024 * 1024
const NEWLINE = 10

/**
 * Size of the pieces that readers convert to strings. Megabyte strings would fill the memory before
 * garbage collection.
 */
const PIECE_BYTES = 256 * 1024

/**
 * Reads a file in blocks that end with a newline, so that a large library needs no more memory than
 * its records. The last block may lack the newline. Blocks share memory: each is valid only until
 * the next is requested.
 */
export async function* readBlocks(path: string): AsyncGenerator<Buffer> {
  await using file = await open(path, 'r')
  let memory = Buffer.allocUnsafeSlow(2 * BLOCK_BYTES)
  let held = 0

  for (;;) {
    if (memory.length - held < BLOCK_BYTES)
      memory = Buffer.concat([memory.subarray(0, held)], 2 * memory.length)
    const { bytesRead } = await file.read(memory, held, BLOCK_BYTES)
    held += bytesRead

    const whole = bytesRead === 0 ? held : memory.lastIndexOf(NEWLINE, held - 1) + 1
    for (let from = 0; from < whole;) {
      const to = endOfPiece(memory, from, whole)
      yield memory.subarray(from, to)
      from = to
    }

    if (bytesRead === 0) return
    memory.copyWithin(0, whole, held)
    held -= whole
  }
}

function endOfPiece(memory: Buffer, from: number, end: number): number {
  if (end - from <= PIECE_BYTES) return end
  const last = memory.lastIndexOf(NEWLINE, from + PIECE_BYTES - 1) + 1
  if (last > from) return last
  const next = memory.indexOf(NEWLINE, from) + 1
  return next === 0 || next > end ? end : next
}
