import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../core/durable-file'

const APPEND = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW

/**
 * Appends lines, each with its newline, and flushes them. Counts the written ones, even if it
 * throws.
 */
export async function appendLines(
  path: string,
  lines: readonly string[],
  written: { lines: number } = { lines: 0 },
): Promise<void> {
  const file = await open(path, APPEND, 0o600)
  try {
    const torn = (await endsTorn(file)) ? '\n' : ''
    const bytes = Buffer.from(torn + lines.join(''))

    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done)
      if (bytesWritten === 0)
        throw Object.assign(new Error('The disk accepted no more bytes'), { code: 'EIO' })
      done += bytesWritten
      written.lines = bytes.toString('utf8', torn.length, done).split('\n').length - 1
    }

    await file.datasync()
  } finally {
    await file.close()
  }
}

async function endsTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return false
  const last = Buffer.alloc(1)
  await file.read(last, 0, 1, size - 1)
  return last[0] !== 0x0a
}

/**
 * Appends one line from a process that does not own the log. Does nothing if the folder does not
 * exist.
 */
export async function addToDayLog(dir: string, now: Date, text: string): Promise<void> {
  const path = join(dir, `${now.toISOString().slice(0, 10)}.jsonl`)
  await appendLines(path, [`${text}\n`]).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
}
