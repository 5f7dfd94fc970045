import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { blobOf, isBlobId } from './blob-shelf'
import { errorCode } from '../durable-file'

/** The path of a blob or companion. Throws for other names, so that a library cannot name other paths. */
export function blobPath(dir: string, name: string): string {
  if (blobOf(name) === undefined) throw new Error(`${JSON.stringify(name)} is not a blob ID`)
  return join(dir, 'blobs', name.slice(0, 2), name)
}

/** The ids of all blobs in a folder, with or without a record. */
export async function blobIdsIn(dir: string): Promise<string[]> {
  const shards = await namesIn(join(dir, 'blobs'))
  const names = await Promise.all(
    shards.filter((name) => /^[0-9a-f]{2}$/.test(name)).map((name) => readdir(join(dir, 'blobs', name))),
  )
  return names.flat().filter(isBlobId)
}

/** The SHA-256 of a file, in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
}
