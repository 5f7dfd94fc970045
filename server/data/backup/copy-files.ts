import { createHash } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { CREATE_NEW, errorCode, writeAll } from '../durable-file'

/** What a copy turned out to be. */
export interface Copied {
  size: number
  /** Hexadecimal. */
  sha256: string
}

interface CopyOptions {
  /** Ends the copy, and takes away what is there of it. */
  signal?: AbortSignal | undefined
  /** Hears how many bytes more have been written. */
  onBytes?: (bytes: number) => void
}

/** Copies a file onto the disk, and hashes what was read on the way. */
export async function copyHashed(from: string, to: string, { signal, onBytes }: CopyOptions = {}): Promise<Copied> {
  const hash = createHash('sha256')
  let size = 0
  const source = await open(from, 'r')
  const file = await open(to, CREATE_NEW, 0o600).catch(async (error: unknown) => {
    await source.close()
    throw error
  })
  try {
    for await (const chunk of source.createReadStream({ highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
      signal?.throwIfAborted()
      hash.update(chunk)
      size += chunk.length
      await writeAll(file, chunk)
      onBytes?.(chunk.length)
    }
    await file.sync()
  } catch (error) {
    await rm(to, { force: true })
    throw error
  } finally {
    await file.close()
    await source.close()
  }
  return { size, sha256: hash.digest('hex') }
}

/** A second name for a file that never changes. False where the two places cannot share one. */
export async function linkTo(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) return false
    throw error
  }
}

/** Nothing where `work` found no such file. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
}
