import { open } from 'node:fs/promises'

const BLOCK = 1024 * 1024

/**
 * Reads a file as blocks that end with a newline, so that a big library needs no more memory than its records. The last
 * block may lack the newline. A block is only good until the next one is asked for.
 */
export async function* readBlocks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, 'r')
  try {
    let rest: Buffer = Buffer.alloc(0)
    for (;;) {
      const block = Buffer.allocUnsafe(rest.length + BLOCK)
      rest.copy(block)
      const { bytesRead } = await file.read(block, rest.length, BLOCK)
      const filled = block.subarray(0, rest.length + bytesRead)
      if (bytesRead === 0) {
        if (filled.length > 0) yield filled
        return
      }
      const whole = filled.lastIndexOf(10) + 1
      if (whole > 0) yield filled.subarray(0, whole)
      rest = filled.subarray(whole)
    }
  } finally {
    await file.close()
  }
}
