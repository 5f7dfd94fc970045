import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { hex } from '../library/journal/log-line'
import { emptyLibrary, type LibraryData } from '../library/library-data'
import { DiskBackend } from '../blobs/disk-backend'
import { releasesFromLinks } from '../library/migrations/releases-from-links'
import type { RecordOf } from '../records/records'
import { recordsOf, type Records } from './records'
import { unlessMissing } from '../../core/durable-file'

type Link = Omit<RecordOf<'links'>, 'position' | 'releaseId'> & { position?: number }
type Project = RecordOf<'projects'> & { owner: RecordOf<'users'>; link: Link }
type Sidecar = RecordOf<'files'> & {
  owner: RecordOf<'users'>
  projects: Project[]
  deletedAt: string | null
}

/** Reads the sidecar files of earlier versions, as records without passwords. */
export async function readSidecars(dir: string): Promise<LibraryData> {
  const data = emptyLibrary()
  const records = recordsOf(data)
  const blobs = DiskBackend.in(dir)
  for await (const blobId of blobs.ids()) {
    const text = (await unlessMissing(readFile(`${blobs.pathOf(blobId)}.json`, 'utf8'))) ?? ''
    const [, crc, json = ''] = /^\{"crc32":"([0-9a-f]{8})","blob":(.*)\}\n$/s.exec(text) ?? []
    if (crc === hex(crc32(json))) add(records, blobId, JSON.parse(json) as Sidecar)
  }
  releasesFromLinks(data)
  return data
}

function add({ users, projects, files, links, trash }: Records, blobId: string, sidecar: Sidecar) {
  const { owner, projects: offering, deletedAt, ...fields } = sidecar
  users.set(owner.id, owner)
  const file = { ...fields, ownerId: owner.id, blobId }

  const linked = offering.map(({ owner: projectOwner, link, ...project }) => {
    users.set(projectOwner.id, projectOwner)

    const text = {
      shortDescription: '',
      description: '',
      projectUrl: null,
      updatedAt: project.createdAt,
    }

    // A trashed file describes its project as it was then.
    const currentProject = deletedAt === null ? undefined : projects.get(project.id)
    projects.set(
      project.id,
      currentProject ?? { ...project, ...text, collaboratorIds: [], ownerId: projectOwner.id },
    )
    const ids = { id: `${project.id}/${file.id}`, projectId: project.id, fileId: file.id }
    return { ...link, ...ids, position: link.position ?? Date.parse(link.addedAt), releaseId: null }
  })

  if (deletedAt === null) {
    files.set(file.id, file)
    for (const link of linked) links.set(link.id, link)
  } else {
    const { id, ownerId, filename: name, size } = file
    const value = { file, links: linked, releases: [] }
    trash.set(id, { id, kind: 'file', ownerId, name, size, blobId, deletedAt, value })
  }
}
