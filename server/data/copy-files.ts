import { createHash } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { CREATE_NEW, errorCode, writeAll } from './durable-file'

/** The size and hash of a copy. */
export interface Copied {
  size: number
  sha256: string
}

interface CopyOptions {
  signal?: AbortSignal | undefined
  onBytes?: (bytes: number) => void
}

/** Copies a file to disk and hashes it on the way. */
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

/** Hard-links a file that never changes. Returns false if the two places cannot share a file. */
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

/** Resolves to undefined if `work` fails with ENOENT. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
}
