import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDir } from '../durable-file'
import { writeFreshLibrary } from '../library/fresh-library'
import { isUntouched, listLibrary } from '../library/journal/library-files'
import { migrate } from '../library/journal/migrations'
import { salvageSnapshot } from '../library/journal/snapshot'
import type { LibraryData } from '../library/library-data'
import { readLibrary } from '../library/read-library'
import { MIGRATIONS, SCHEMA } from '../library/schema'
import { blobIdsIn, blobPath, hashFile } from '../blobs/blob-files'
import { cataloguePath } from './catalogue'
import { takeOutInvalid } from './check-records'
import { unlessMissing } from '../copy-files'
import { readSidecars } from './old-sidecars'
import { forgetFacts, hasCompanions, promisedBlobs, recordsOf, type RecordOf, type Records } from './records'

export interface Rebuilt {
  files: number
  projects: number
  accounts: { username: string; password: string }[]
  recovered: Recovered
  /** Where the old library files are kept; undefined: there were none. */
  kept: string | undefined
}

interface Recovered {
  owner: string
  filenames: string[]
  /** These stay until the next start sets them aside for a week. */
  unreadable: string[]
}

interface RebuildDeps {
  now: Date
  newId: () => string
  hashPassword: (password: string) => Promise<string>
}

/** Rebuilds a library from its catalogue and keeps the old one. Throws if the library is readable. */
export async function rebuild(dir: string, deps: RebuildDeps): Promise<Rebuilt> {
  const old = await listLibrary(dir)
  await requireUnreadable(dir, isUntouched(old))
  const data = (await readCatalogue(dir)) ?? (await readSidecars(dir))
  const records = recordsOf(data)
  const accounts = await givePasswords(records, deps.hashPassword)
  takeOutInvalid(data)
  const unclaimed = dropIncomplete(records, await sizesIn(dir))
  forgetFacts(records, await withoutCompanions(dir, records))
  const recovered = await recover(dir, unclaimed, records, deps.newId)
  const generation = Math.max(0, ...old.logs, ...old.snapshots) + 1
  const fresh = await writeFreshLibrary(dir, { data, generation, sequence: 0 })
  const kept = await keepOld(dir, fresh, deps.now)
  return { files: records.files.size, projects: records.projects.size, accounts, recovered, kept }
}

async function requireUnreadable(dir: string, isUntouchedDir: boolean): Promise<void> {
  if (isUntouchedDir) return
  const isReadable = await readLibrary(dir).then(
    () => true,
    () => false,
  )
  if (isReadable) throw new Error(`The library in ${dir} is readable: there is nothing to rebuild`)
}

async function readCatalogue(dir: string): Promise<LibraryData | undefined> {
  const found = await unlessMissing(salvageSnapshot(cataloguePath(dir), SCHEMA))
  if (found) migrate(found.data, found.schema, SCHEMA, MIGRATIONS)
  return found?.data
}

/** Only the library has password hashes, so every account gets a new password. */
async function givePasswords({ users }: Records, hashPassword: RebuildDeps['hashPassword']) {
  const accounts: Rebuilt['accounts'] = []
  for (const user of users.values()) {
    const password = randomBytes(12).toString('base64url')
    users.set(user.id, { ...user, passwordHash: await hashPassword(password) })
    accounts.push({ username: user.username, password })
  }
  return accounts
}

async function sizesIn(dir: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for (const blobId of await blobIdsIn(dir)) sizes.set(blobId, (await stat(blobPath(dir, blobId))).size)
  return sizes
}

/** Drops records without their blob, owner or project. Returns the blobs without a record. */
function dropIncomplete(records: Records, sizes: ReadonlyMap<string, number>): Set<string> {
  const { users, projects, files, links, releases, posts, trash, reservedSlugs } = records
  const unclaimed = new Set(sizes.keys())
  const claim = ({ blobId, size, ownerId }: RecordOf<'files'>) =>
    users.has(ownerId) && sizes.get(blobId) === size && unclaimed.delete(blobId)
  keep(files, claim)
  keep(trash, (it) => (it.kind === 'file' ? claim(it.value.file) : users.has(it.ownerId)))
  keep(projects, ({ ownerId }) => users.has(ownerId))
  keep(posts, ({ projectId }) => projects.has(projectId))
  keep(links, ({ projectId, fileId }) => projects.has(projectId) && (files.has(fileId) || trash.has(fileId)))
  keep(releases, ({ projectId, ownerId }) => projects.get(projectId)?.ownerId === ownerId)
  // Without its release, a link could show what was withdrawn.
  keep(links, ({ releaseId }) => releaseId === null || releases.has(releaseId))
  const linked = new Set([...links.values()].map(({ releaseId }) => releaseId))
  keep(releases, ({ id, isKept }) => isKept || linked.has(id))
  keep(reservedSlugs, ({ ownerId }) => users.has(ownerId))
  return unclaimed
}

/** The blobs whose facts in the catalogue are newer or older than the files beside them. */
async function withoutCompanions(dir: string, records: Records): Promise<Set<string>> {
  const found = new Set<string>()
  for (const blob of promisedBlobs(records)) if (!(await hasCompanions(dir, blob))) found.add(blob.blobId)
  return found
}

function keep<T>(records: Map<string, T>, isKept: (record: T) => boolean): void {
  for (const [id, record] of records) if (!isKept(record)) records.delete(id)
}

/** Adds blobs that are not in the catalogue, such as those of the last hour, as private files of the host account. */
async function recover(
  dir: string,
  blobIds: Iterable<string>,
  { users, files }: Records,
  newId: () => string,
): Promise<Recovered> {
  const owner = [...users.values()].find(({ isHost }) => isHost) ?? [...users.values()][0]
  if (!owner) throw new Error(`All blobs in ${dir} are unknown: there is nothing to rebuild from`)
  const recovered: Recovered = { owner: owner.username, filenames: [], unreadable: [] }
  for (const blobId of blobIds) {
    const path = blobPath(dir, blobId)
    const sha256 = await hashFile(path).catch(() => undefined)
    if (sha256 === undefined) {
      recovered.unreadable.push(blobId)
      continue
    }
    const { size, mtime } = await stat(path)
    const filename = `recovered-${blobId.slice(0, 8)}`
    const told = { filename, size, sha256, blobId, uploadedAt: mtime.toISOString() }
    const id = newId()
    files.set(id, { id, ownerId: owner.id, isPublic: false, version: null, ...told })
    recovered.filenames.push(filename)
  }
  return recovered
}

/** The new library is already active; after a crash here, the next snapshot removes the old files. */
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

/** The output of `slipway rebuild`. */
export function describeRebuilt({ files, projects, accounts, recovered, kept }: Rebuilt): string {
  const { owner, filenames, unreadable } = recovered
  return [
    `Restored ${files} files, ${projects} projects and ${accounts.length} accounts, as of the last catalogue.`,
    'API keys, watched folders and counts are lost with the old library.',
    'Every account has a new password:',
    ...accounts.map(({ username, password }) => `  ${username}  ${password}`),
    ...(filenames.length === 0
      ? []
      : [`These files are not in the catalogue. They are now private files of ${owner}:`]),
    ...filenames.map((filename) => `  ${filename}`),
    ...(unreadable.length === 0 ? [] : ['These blobs are unreadable; the next start sets them aside for a week:']),
    ...unreadable.map((blobId) => `  ${blobId}`),
    ...(kept === undefined ? [] : [`The old library is in ${kept}.`]),
  ].join('\n')
}
