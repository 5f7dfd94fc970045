import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { unlessMissing } from '../../core/durable-file'

/** Bytes per read: the lines of one block are parsed without a pause. */
const BLOCK = 64 * 1024
const NEWLINE = 0x0a

/**
 * The lines of a file from `end` (default: its end) backwards, with their offsets. None if it is
 * missing.
 */
export async function* linesBackwards(
  path: string,
  end?: number,
): AsyncGenerator<{ at: number; text: string }> {
  const file = await unlessMissing(open(path, constants.O_RDONLY | constants.O_NOFOLLOW))
  if (!file) return
  try {
    const { size } = await file.stat()
    let position = Math.min(size, end ?? size)
    let rest: Buffer = Buffer.alloc(0)

    while (position > 0) {
      const block = await readRange(file, Math.max(0, position - BLOCK), position)
      position -= block.length
      rest = Buffer.concat([block, rest])

      // The first piece may have begun in the previous block.
      for (let cut = startOfLast(rest); cut > 0; cut = startOfLast(rest)) {
        yield { at: position + cut, text: textOf(rest.subarray(cut)) }
        rest = rest.subarray(0, cut)
      }
    }

    if (rest.length > 0) yield { at: 0, text: textOf(rest) }
  } finally {
    await file.close()
  }
}

const textOf = (line: Buffer) =>
  line.toString('utf8', 0, line.at(-1) === NEWLINE ? line.length - 1 : line.length)

const startOfLast = (bytes: Buffer) =>
  bytes.length < 2 ? 0 : bytes.lastIndexOf(NEWLINE, bytes.length - 2) + 1

async function readRange(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const block = Buffer.alloc(to - from)
  const { bytesRead } = await file.read(block, 0, block.length, from)
  if (bytesRead < block.length) throw new Error('The file has become shorter')
  return block
}
