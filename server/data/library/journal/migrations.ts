import { copyFile, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDir } from '../../../core/durable-file'
import { compareText } from '../../../core/versions'
import type { LibraryData } from '../library-data'
import { logName, snapshotName, type LibraryFiles } from './library-files'

/** Migrates the records to the next schema, in place. Must be deterministic. */
export type Migration = (data: LibraryData) => void

/** Migrations by target schema. Kept forever, because recovery may have to run them again. */
export type Migrations = Readonly<Record<number, Migration>>

export function migrate(data: LibraryData, from: number, to: number, migrations: Migrations): void {
  for (let schema = from + 1; schema <= to; schema++) {
    const step = migrations[schema]
    if (step === undefined) throw new Error(`There is no migration to schema ${schema}`)
    step(data)
  }
}

const COPY = 'before-schema-'

/**
 * Copies all files of a library before a newer version changes it. Returns the folder of the copy.
 */
export async function keepCopy(
  dir: string,
  files: LibraryFiles,
  schema: number,
  at: Date,
): Promise<string> {
  const copy = join(dir, `${COPY}${schema}-${at.toISOString().replaceAll(':', '-')}`)
  await mkdir(copy, { mode: 0o700 })

  for (const name of [...files.logs.map(logName), ...files.snapshots.map(snapshotName)]) {
    await copyFile(join(dir, name), join(copy, name))
    await using handle = await open(join(copy, name), 'r+')
    await handle.sync()
  }

  await syncDir(copy)
  await syncDir(dir)
  return copy
}

/**
 * Finds the newest copy of a library from before a version newer than this schema opened it.
 */
export async function findCopy(dir: string, schema: number): Promise<string | undefined> {
  const copies = (await readdir(dir)).flatMap((name) => {
    const newer = name.startsWith(COPY) ? Number.parseInt(name.slice(COPY.length), 10) : 0
    return newer > schema ? [{ name, newer }] : []
  })

  const [copy] = copies.sort((a, b) => a.newer - b.newer || compareText(b.name, a.name))
  return copy && join(dir, copy.name)
}
