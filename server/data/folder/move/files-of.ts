import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isBlobId } from '../../blobs/blob-shelf'
import { errorCode } from '../../durable-file'
import { staysBehind } from '../pointer'

/** A file that belongs to the data. */
export interface DataFile {
  /** Below the data folder, with `/` between. */
  name: string
  /** Bytes. */
  size: number
  changedMs: number
  /** Published bytes: they never change in place, so that two folders may share them. */
  isFixed: boolean
}

/** Every file of a data folder, but for uploads at one go, which do not outlive their process. */
export async function* filesOf(dir: string): AsyncGenerator<DataFile> {
  const top = (await readdir(dir, { withFileTypes: true })).filter(({ name }) => !staysBehind(name) && name !== 'tmp')
  yield* walk(dir, '', top)
}

async function* walk(dir: string, above: string, entries: Dirent[]): AsyncGenerator<DataFile> {
  for (const entry of entries) {
    const name = `${above}${entry.name}`
    if (entry.isDirectory()) yield* walk(dir, `${name}/`, await readdir(join(dir, name), { withFileTypes: true }))
    else if (entry.isFile()) {
      const found = await lstat(join(dir, name)).catch(ignoreMissing)
      if (found) yield { name, size: found.size, changedMs: found.mtimeMs, isFixed: isFixed(name) }
    }
  }
}

const isFixed = (name: string) => /^blobs\/[0-9a-f]{2}\/[^/]+$/.test(name) && isBlobId(name.slice('blobs/aa/'.length))

function ignoreMissing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined
  throw error
}
