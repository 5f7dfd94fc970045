import { createReadStream } from 'node:fs'
import { Digester, type Digests } from './digests'
import { hashInWorker } from './hash-worker'

/** The digests of a file that is being written. */
export interface FileHash {
  /** The next bytes, before they are written. */
  update(chunk: Buffer): void
  /** The file is written up to here. */
  written(upTo: number): void
  /** Once so many bytes are written. */
  digest(bytes: number): Promise<Digests>
  /** Gives up. */
  stop(): Promise<void>
}

/** Hashes in this thread. */
export function hashHere(): FileHash {
  const digester = new Digester()
  return {
    update: (chunk) => digester.update(chunk),
    written: () => undefined,
    digest: () => Promise.resolve(digester.digests()),
    stop: () => Promise.resolve(),
  }
}

/** Hashes in a worker, which reads the file behind the writer; should the worker fail, once more from the file. */
export function hashAside(path: string): FileHash {
  const job = hashInWorker(path)
  return {
    update: () => undefined,
    written: (upTo) => job.follow(upTo),
    digest: async (bytes) => (await job.digest(bytes)) ?? digestsOfFile(path),
    stop: () => job.stop(),
  }
}

async function digestsOfFile(path: string): Promise<Digests> {
  const digester = new Digester()
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) digester.update(chunk as Buffer)
  return digester.digests()
}
