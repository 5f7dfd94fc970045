import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { blobOf } from '../../blobs/blob-names'
import { unlessMissing } from '../../../core/durable-file'
import { staysBehind } from '../pointer'

/** A file that belongs to the data. */
export interface DataFile {
  /** Relative to the data folder, with `/` separators. */
  name: string
  /** Bytes. */
  size: number
  changedMs: number
  /**
   * Whether it is a blob or sidecar. Those never change in place, so two folders may share them.
   */
  isFixed: boolean
}

/** Every file of a data folder except drafts in `tmp`, which do not outlive their process. */
export async function* listFiles(dir: string): AsyncGenerator<DataFile> {
  const top = (await readdir(dir, { withFileTypes: true })).filter(
    ({ name }) => !staysBehind(name) && name !== 'tmp',
  )
  yield* walk(dir, '', top)
}

async function* walk(dir: string, above: string, entries: Dirent[]): AsyncGenerator<DataFile> {
  for (const entry of entries) {
    const name = `${above}${entry.name}`
    if (entry.isDirectory())
      yield* walk(dir, `${name}/`, await readdir(join(dir, name), { withFileTypes: true }))
    else if (entry.isFile()) {
      const stats = await unlessMissing(lstat(join(dir, name)))
      if (stats) yield { name, size: stats.size, changedMs: stats.mtimeMs, isFixed: isFixed(name) }
    }
  }
}

const isFixed = (name: string) =>
  /^blobs\/[0-9a-f]{2}\/[^/]+$/.test(name) && blobOf(name.slice('blobs/aa/'.length)) !== undefined
