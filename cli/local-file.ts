import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Failure } from './failure'

/** A file to send. */
export interface LocalFile {
  path: string
  filename: string
  /** In bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
}

/** Reads a file once for its digest. Throws `Failure` if it cannot be read. */
export async function readLocalFile(path: string): Promise<LocalFile> {
  try {
    const { size } = await stat(path)
    const hash = createHash('sha256')
    for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer)
    return { path, filename: basename(path), size, sha256: hash.digest('hex') }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : message
    throw new Failure('usage', `${path} cannot be read: ${why}`)
  }
}
