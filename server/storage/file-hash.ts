import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { hashInWorker } from './hash-worker'

/** The SHA-256 of a file that is being written. */
export interface FileHash {
  /** The next bytes, before they are written. */
  update(chunk: Buffer): void
  /** The file is written up to here. */
  written(upTo: number): void
  /** In hexadecimal, once so many bytes are written. */
  digest(bytes: number): Promise<string>
  /** Gives up. */
  stop(): Promise<void>
}

/** Hashes in this thread: half a millisecond for each MiB. */
export function hashHere(): FileHash {
  const hash = createHash('sha256')
  return {
    update: (chunk) => void hash.update(chunk),
    written: () => undefined,
    digest: () => Promise.resolve(hash.digest('hex')),
    stop: () => Promise.resolve(),
  }
}

/** Hashes in a worker, which reads the file behind the writer; should the worker fail, once more from the file. */
export function hashAside(path: string): FileHash {
  const job = hashInWorker(path)
  return {
    update: () => undefined,
    written: (upTo) => job.follow(upTo),
    digest: async (bytes) => (await job.digest(bytes)) ?? hashOfFile(path),
    stop: () => job.stop(),
  }
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex')
}
