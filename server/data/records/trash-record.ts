import { z } from 'zod'
import { id, time } from '../../contract/fields'
import { blobId, bytes, text } from './fields'
import { fileRecord, type FileRecord } from './file-records'
import {
  linkRecord,
  picturesIn,
  pictureRecord,
  postRecord,
  projectRecord,
  releaseRecord,
} from './project-records'

const links = z.array(linkRecord).readonly()
const releases = z.array(releaseRecord).readonly()

const trashed = {
  id,
  ownerId: id,
  name: text,
  /** Bytes that permanent deletion frees. */
  size: bytes,
  deletedAt: time,
  /**
   * Set while its account is deleted, with which it stays, comes back or goes. `live`: it was
   * deleted with the account; `trashed`: before. Undefined: it belongs to an account.
   */
  withAccount: z.enum(['live', 'trashed']).optional(),
}

/** A deleted item, with what its store needs to restore it. */
export type TrashRecord = z.infer<typeof trashRecord>

export const trashRecord = z.discriminatedUnion('kind', [
  z.object({
    ...trashed,
    kind: z.literal('file'),
    blobId,
    value: z.object({ file: fileRecord, links, releases }),
  }),
  z.object({
    ...trashed,
    kind: z.literal('project'),
    blobId: z.null(),
    value: z.object({
      project: projectRecord,
      posts: z.array(postRecord).readonly(),
      links,
      releases,
    }),
  }),
  z.object({
    ...trashed,
    kind: z.literal('release'),
    blobId: z.null(),
    /** `files`: those that no other project has; `links`: of all of its files. */
    value: z.object({ release: releaseRecord, links, files: z.array(fileRecord).readonly() }),
  }),
  z.object({
    ...trashed,
    kind: z.literal('picture'),
    blobId,
    /** `place`: among the screenshots, from 0. */
    value: z.object({ projectId: id, picture: pictureRecord, place: z.int().nonnegative() }),
  }),
])

/** The files that a deleted item has, with their bytes. */
export function filesIn(record: TrashRecord): readonly FileRecord[] {
  if (record.kind === 'file') return [record.value.file]
  return record.kind === 'release' ? record.value.files : []
}

/** The ids of the files that restoring would bring back. */
export const fileIdsIn = (trash: Iterable<TrashRecord>): ReadonlySet<string> =>
  new Set([...trash].flatMap((record) => filesIn(record).map(({ id }) => id)))

/** The blobs that a deleted item keeps. */
export function blobsIn(record: TrashRecord): readonly string[] {
  if (record.kind === 'picture') return [record.blobId]
  if (record.kind === 'project') return picturesIn(record.value.project).map(({ blobId }) => blobId)
  return filesIn(record).map(({ blobId }) => blobId)
}
