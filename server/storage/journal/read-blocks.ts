import { open } from 'node:fs/promises'

const BLOCK_BYTES = 1024 * 1024
const NEWLINE = 10

/**
 * Reads a file as blocks that end with a newline, so that a big library needs no more memory than its records. The last
 * block may lack the newline. A block is only good until the next one is asked for: they share their memory.
 */
export async function* readBlocks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, 'r')
  try {
    let memory = Buffer.allocUnsafeSlow(2 * BLOCK_BYTES)
    let held = 0
    for (;;) {
      if (memory.length - held < BLOCK_BYTES) memory = Buffer.concat([memory.subarray(0, held)], 2 * memory.length)
      const { bytesRead } = await file.read(memory, held, BLOCK_BYTES)
      held += bytesRead
      const whole = bytesRead === 0 ? held : memory.lastIndexOf(NEWLINE, held - 1) + 1
      if (whole > 0) yield memory.subarray(0, whole)
      if (bytesRead === 0) return
      memory.copyWithin(0, whole, held)
      held -= whole
    }
  } finally {
    await file.close()
  }
}
