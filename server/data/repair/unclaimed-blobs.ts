import type { StoredBlob, StoredBlobs } from '../blobs/stored-blobs'
import { hashSource } from '../copy-files'
import type { RecordOf } from '../records/records'
import type { Records } from './records'

export interface Recovered {
  owner: string
  filenames: string[]
  /** These stay until the next start sets them aside for a week. */
  unreadable: string[]
}

/** Drops records without their blob, owner or project. Returns the blobs without a record. */
export async function dropIncomplete(records: Records, blobs: StoredBlobs): Promise<Map<string, StoredBlob>> {
  const { users, projects, files, links, releases, posts, trash, reservedSlugs } = records
  const unclaimed = await everyBlob(blobs)
  const claim = ({ blobId, size, ownerId }: RecordOf<'files'>) =>
    users.has(ownerId) && unclaimed.get(blobId)?.size === size && unclaimed.delete(blobId)
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

function keep<T>(records: Map<string, T>, isKept: (record: T) => boolean): void {
  for (const [id, record] of records) if (!isKept(record)) records.delete(id)
}

async function everyBlob(blobs: StoredBlobs): Promise<Map<string, StoredBlob>> {
  const all = new Map<string, StoredBlob>()
  for await (const blobId of blobs.ids()) {
    const storedBlob = await blobs.find(blobId)
    if (storedBlob) all.set(blobId, storedBlob)
  }
  return all
}

/**
 * Adds blobs that are not in the catalogue, such as those of the last hour, as private files of the host account.
 * Undefined if there is no account.
 */
export async function recover(
  blobs: StoredBlobs,
  unclaimed: ReadonlyMap<string, StoredBlob>,
  { users, files }: Records,
  newId: () => string,
): Promise<Recovered | undefined> {
  const owner = [...users.values()].find(({ isHost }) => isHost) ?? [...users.values()][0]
  if (!owner) return undefined
  const recovered: Recovered = { owner: owner.username, filenames: [], unreadable: [] }
  for (const [blobId, { size, madeAt }] of unclaimed) {
    const sha256 = await blobs
      .open(blobId)
      .then(hashSource)
      .catch(() => undefined)
    if (sha256 === undefined) {
      recovered.unreadable.push(blobId)
      continue
    }
    const filename = `recovered-${blobId.slice(0, 8)}`
    const fields = { filename, size, sha256, blobId, uploadedAt: madeAt.toISOString() }
    const id = newId()
    files.set(id, { id, ownerId: owner.id, isPublic: false, version: null, ...fields })
    recovered.filenames.push(filename)
  }
  return recovered
}
