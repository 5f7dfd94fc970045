import { mkdir, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Passwords } from '../../features/accounts/passwords'
import { errorCode, syncDir } from '../durable-file'
import { writeFreshLibrary } from '../library/fresh-library'
import { isUntouched, listLibrary } from '../library/journal/library-files'
import { readLibrary } from '../library/read-library'
import { blobIdsIn, blobPath, sidecarPath } from '../backup/blob-files'
import { LibraryBuilder } from './library-builder'
import { salvageSlugs } from './salvage-slugs'
import { decodeSidecar, type Sidecar } from '../sidecars/sidecar'

export interface Rebuilt {
  files: number
  projects: number
  /** New passwords, which their owners have to change. */
  accounts: { username: string; password: string }[]
  /** Blobs of which nothing is known; they stay where they are until the next start sets them aside for a week. */
  unknown: string[]
  /** Where the files of the old library are kept; undefined: there were none. */
  kept: string | undefined
}

/**
 * Makes the library again from what stands beside the blobs: files, owners, visibility, project links. Refuses where
 * the library can be read. The old one is kept in a folder of its own.
 */
export async function rebuild(dir: string, now: Date): Promise<Rebuilt> {
  const old = await listLibrary(dir)
  await requireUnreadable(dir, isUntouched(old))
  const builder = new LibraryBuilder(new Passwords())
  const { live, trashed, unknown } = await readSidecars(dir)
  // What is in the trash may tell of a project as it was back then: the others come first.
  for (const [blobId, sidecar] of [...live, ...trashed]) await builder.add(blobId, sidecar)
  if (builder.isEmpty) throw new Error(`All blobs in ${dir} are unknown: there is nothing to rebuild from`)
  builder.reserve(await salvageSlugs(dir, old), now)
  const generation = Math.max(0, ...old.logs, ...old.snapshots) + 1
  const fresh = await writeFreshLibrary(dir, { data: builder.data, generation, sequence: 0 })
  const kept = await keepOld(dir, fresh, now)
  return { ...builder.counts(), accounts: builder.accounts, unknown, kept }
}

async function requireUnreadable(dir: string, isUntouchedDir: boolean): Promise<void> {
  if (isUntouchedDir) return
  const isReadable = await readLibrary(dir).then(
    () => true,
    () => false,
  )
  if (isReadable) throw new Error(`The library in ${dir} is readable: there is nothing to rebuild`)
}

async function readSidecars(dir: string) {
  const live: [string, Sidecar][] = []
  const trashed: [string, Sidecar][] = []
  const unknown: string[] = []
  for (const blobId of await blobIdsIn(dir)) {
    const sidecar = await sidecarOf(dir, blobId)
    if (sidecar) (sidecar.deletedAt === null ? live : trashed).push([blobId, sidecar])
    else unknown.push(blobId)
  }
  return { live, trashed, unknown }
}

/** Undefined where nothing is told of the blob, or not of these bytes. */
async function sidecarOf(dir: string, blobId: string): Promise<Sidecar | undefined> {
  const text = await readFile(sidecarPath(dir, blobId), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
  const sidecar = decodeSidecar(text)
  return sidecar?.size === (await stat(blobPath(dir, blobId))).size ? sidecar : undefined
}

/** The new library counts already; a crash in here leaves old files that the next snapshot removes. */
async function keepOld(dir: string, fresh: readonly string[], now: Date): Promise<string | undefined> {
  const names = (await readdir(dir)).filter((name) => name.startsWith('library.') && !fresh.includes(name))
  if (names.length === 0) return undefined
  const kept = join(dir, `before-rebuild-${now.toISOString().replaceAll(':', '-')}`)
  await mkdir(kept, { mode: 0o700 })
  for (const name of names) await rename(join(dir, name), join(kept, name))
  await syncDir(kept)
  await syncDir(dir)
  return kept
}
