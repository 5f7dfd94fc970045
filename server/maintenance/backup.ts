import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { errorCode, syncDir } from '../storage/durable-file'
import { writeFreshLibrary } from '../storage/fresh-library'
import { readLibrary } from '../storage/read-library'
import { BlobCollector } from './blob-collector'
import { copyHashed, unlessMissing } from './copy-files'
import { writeManifest } from './manifest'
import { promisedBlobs, recordsOf } from './records'

const NAME = /^backup-\d{4}-\d\d-\d\dT[\d-]+Z$/
const PARTIAL = /^\.partial-/
/** How often a file may be deleted for good just between our two looks at it. */
const ATTEMPTS = 5

export interface Backup {
  /** The folder of this backup. */
  path: string
  blobs: number
  /** Blobs that share their space with the backup before, or with the data folder. */
  linked: number
}

/**
 * Keeps a copy of a data folder in `target/backup-<time>`, also while the host is running. Blobs that the backup before
 * has are shared with it. The folder gets its name when everything is in it and on disk.
 */
export async function backUp(dataDir: string, target: string, now: Date): Promise<Backup> {
  const base = resolve(target)
  const makes = await mkdir(base, { recursive: true, mode: 0o700 })
  if (makes !== undefined) await chmod(base, 0o700)
  await removePartials(base)
  const name = `backup-${now.toISOString().replaceAll(/[:.]/g, '-')}`
  const partial = join(base, `.partial-${name}`)
  await mkdir(join(partial, 'blobs'), { recursive: true, mode: 0o700 })
  const collector = await BlobCollector.create(dataDir, await newestBackup(base), partial)
  await collector.takeAll()
  const library = await takeLibrary(dataDir, partial, collector)
  const others = await takeSettings(dataDir, partial)
  await collector.finish()
  await writeManifest(partial, [...library, ...others], collector.count, now)
  await syncDir(partial)
  await rename(partial, join(base, name))
  await syncDir(base)
  return { path: join(base, name), blobs: collector.count, linked: collector.linked }
}

/** The newest whole backup in a folder of backups. */
export async function newestBackup(base: string): Promise<string | undefined> {
  const names = (await readdir(base)).filter((name) => NAME.test(name)).sort()
  const newest = names.at(-1)
  return newest === undefined ? undefined : join(base, newest)
}

/** The library after the blobs: what it names by then is here, but for what was published in between. */
async function takeLibrary(dataDir: string, partial: string, collector: BlobCollector): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    const cut = await readLibrary(dataDir)
    const missing = await collector.keepOnly(promisedBlobs(recordsOf(cut.data)))
    if (missing === undefined) return writeFreshLibrary(partial, { ...cut, generation: cut.generation + 1 })
    if (attempt === ATTEMPTS) throw new Error(`The bytes of ${missing} are missing: run verify`)
  }
}

async function takeSettings(dataDir: string, partial: string): Promise<string[]> {
  const names = ['settings.json', 'secrets.json']
  const taken = await Promise.all(
    names.map(async (name) => {
      const copied = await unlessMissing(copyHashed(join(dataDir, name), join(partial, name)))
      return copied ? [name] : []
    }),
  )
  return taken.flat()
}

/** What earlier attempts left behind. */
async function removePartials(base: string): Promise<void> {
  const names = await readdir(base).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
  for (const name of names.filter((it) => PARTIAL.test(it))) await rm(join(base, name), { recursive: true })
}
