import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { newBlobId } from '../../data/blobs/blob-names'
import { writeAll } from '../../core/durable-file'

const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
const READ_BYTES = 512 * 1024

/** A part of an upload in a file of this host without a name, which goes with the process. */
export class PartFile {
  private constructor(
    private readonly file: FileHandle,
    /** Bytes before this are not here. */
    public from: number,
  ) {}

  static async open(dir: string, from: number): Promise<PartFile> {
    const path = join(dir, `${newBlobId()}.part`)
    const file = await open(path, CREATE, 0o600)
    try {
      await rm(path)
    } catch (cause) {
      await file.close()
      throw cause
    }
    return new PartFile(file, from)
  }

  async write(bytes: Buffer, at: number): Promise<void> {
    const write = (rest: Uint8Array, offset: number, length: number) =>
      this.file.write(rest, offset, length, at + offset)
    await writeAll({ write }, bytes)
  }

  async read(from: number, to: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(to - from)
    for (let filled = 0; filled < bytes.length;) {
      const { bytesRead } = await this.file.read(
        bytes,
        filled,
        bytes.length - filled,
        from + filled,
      )

      if (bytesRead === 0) throw new Error('The file of a running upload is too short')
      filled += bytesRead
    }
    return bytes
  }

  /** The first `length` bytes. */
  stream(length: number): Readable {
    const range = { start: 0, end: length - 1, highWaterMark: READ_BYTES, autoClose: false }
    return this.file.createReadStream(range)
  }

  async md5(length: number): Promise<Buffer> {
    const digest = createHash('md5')
    for await (const chunk of this.stream(length)) digest.update(chunk as Buffer)
    return digest.digest()
  }

  async close(): Promise<void> {
    await this.file.close()
  }
}
