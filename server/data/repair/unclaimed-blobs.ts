import type { StoredBlob, StoredBlobs } from '../blobs/stored-blobs'
import { hashSource } from '../copy-files'
import type { RecordOf } from '../records/records'
import { takeOutOrphans } from './orphaned-records'
import type { Records } from './records'

export interface Recovered {
  owner: string
  filenames: string[]
  /** These stay until the next start sets them aside for a week. */
  unreadable: string[]
}

/** Drops records without their blob, owner or project. Returns the blobs without a record. */
export async function dropIncomplete(
  records: Records,
  blobs: StoredBlobs,
): Promise<Map<string, StoredBlob>> {
  const { users, deletedAccounts, projects, files, releases, reports, trash } = records
  const unclaimed = await everyBlob(blobs)
  const claim = ({ blobId, size }: Pick<RecordOf<'files'>, 'blobId' | 'size'>) =>
    unclaimed.get(blobId)?.size === size && unclaimed.delete(blobId)

  /** Returns the project with the pictures whose bytes exist. */
  const claimPictures = (project: RecordOf<'projects'>): RecordOf<'projects'> =>
    project.pictures ? { ...project, pictures: project.pictures.filter(claim) } : project

  keep(files, (file) => users.has(file.ownerId) && claim(file))
  keep(projects, ({ ownerId }) => users.has(ownerId))
  for (const [id, project] of projects) projects.set(id, claimPictures(project))

  keep(
    trash,
    (it) =>
      (users.has(it.ownerId) || deletedAccounts.has(it.ownerId)) &&
      (it.blobId === null || claim({ blobId: it.blobId, size: it.size })),
  )

  for (const [id, it] of trash) {
    if (it.kind === 'project')
      trash.set(id, { ...it, value: { ...it.value, project: claimPictures(it.value.project) } })
    if (it.kind === 'release')
      trash.set(id, { ...it, value: { ...it.value, files: it.value.files.filter(claim) } })
  }

  keep(releases, ({ projectId, ownerId }) => projects.get(projectId)?.ownerId === ownerId)
  takeOutOrphans(records)
  for (const [id, report] of reports)
    reports.set(id, { ...report, attachments: report.attachments.filter(claim) })

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
 * Adds blobs that are not in the catalogue, such as those of the last hour, as private files of the
 * owner.
 */
export async function recover(
  blobs: StoredBlobs,
  unclaimed: ReadonlyMap<string, StoredBlob>,
  { users, files }: Records,
  newId: () => string,
): Promise<Recovered> {
  const owner = [...users.values()].find(({ isHost }) => isHost) ?? [...users.values()][0]
  if (!owner) throw new Error('No account can own the recovered files')

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

    const filename = `Recovered file ${recovered.filenames.length + 1}`
    const fields = { filename, size, sha256, blobId, uploadedAt: madeAt.toISOString() }
    const id = newId()
    files.set(id, { id, ownerId: owner.id, isPublic: false, version: null, ...fields })
    recovered.filenames.push(filename)
  }
  return recovered
}
