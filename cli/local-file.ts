import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Failure } from './failure'

/** A file to send, or a folder as a zip. */
export interface LocalFile {
  filename: string
  /** In bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
  /** The bytes from `start` on. */
  read: (start: number) => AsyncIterable<Buffer>
}

/** Reads a file once for its digest. Throws `Failure` if it cannot be read. */
export async function readLocalFile(path: string): Promise<LocalFile> {
  try {
    const { size } = await stat(path)
    const hash = createHash('sha256')
    const read = (start: number): AsyncIterable<Buffer> => createReadStream(path, { start })
    for await (const bytes of read(0)) hash.update(bytes)
    return { filename: basename(path), size, sha256: hash.digest('hex'), read }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const why =
      code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : message
    throw new Failure('usage', `${path} cannot be read: ${why}`)
  }
}
