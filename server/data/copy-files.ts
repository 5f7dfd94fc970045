import { createHash } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import type { ByteSource } from '../core/byte-source'
import { CREATE_NEW, errorCode, writeAll } from '../core/durable-file'

/** The size and hash of a copy. */
export interface Copied {
  size: number
  sha256: string
}

export interface CopyOptions {
  signal?: AbortSignal | undefined
  onBytes?: (bytes: number) => void
}

/**
 * Reads a whole source and closes it. Returns its SHA-256, in hexadecimal. `follow` gets each MB
 * before the next one is read.
 */
export async function hashSource(
  source: ByteSource,
  follow?: (bytes: Uint8Array) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(1024 * 1024)

  try {
    for (let position = 0; ;) {
      const { bytesRead } = await source.read(buffer, 0, buffer.length, position)
      if (bytesRead === 0) return hash.digest('hex')

      const bytes = buffer.subarray(0, bytesRead)
      hash.update(bytes)
      position += bytesRead
      await follow?.(bytes)
    }
  } finally {
    await source.close()
  }
}

/** The SHA-256 of a file, in hexadecimal. */
export const hashFile = async (path: string): Promise<string> => hashSource(await open(path, 'r'))

/** Copies a file to disk and hashes it on the way. */
export async function copyHashed(
  from: string,
  to: string,
  { signal, onBytes }: CopyOptions = {},
): Promise<Copied> {
  const hash = createHash('sha256')
  let size = 0

  const source = await open(from, 'r')
  const file = await open(to, CREATE_NEW, 0o600).catch(async (error: unknown) => {
    await source.close()
    throw error
  })

  try {
    for await (const chunk of source.createReadStream({
      highWaterMark: 1024 * 1024,
    }) as AsyncIterable<Buffer>) {
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

/** Result of linking or copying a file. */
export interface Placed {
  /**
   * The SHA-256 of the copy, in hexadecimal; null: the two names share a file, which was not read.
   */
  sha256: string | null
}

/** Hard-links a file that never changes, else copies it. */
export async function linkOrCopy(
  from: string,
  to: string,
  options: CopyOptions = {},
): Promise<Placed> {
  return (await linkTo(from, to)) ? { sha256: null } : copyHashed(from, to, options)
}

/** Whether a file is unreadable because of a local disk defect. Other files may be readable. */
export const isUnreadable = (error: unknown): boolean =>
  errorCode(error) === 'EIO' && (error as NodeJS.ErrnoException).syscall === 'read'
