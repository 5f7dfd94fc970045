import { z } from 'zod'
import { id, time } from '../../contract/fields'
import { blobId, bytes, text } from './fields'
import { fileRecord } from './file-records'
import { linkRecord, pictureRecord, postRecord, projectRecord, releaseRecord } from './project-records'

const links = z.array(linkRecord).readonly()
const releases = z.array(releaseRecord).readonly()

const trashed = {
  id,
  ownerId: id,
  name: text,
  /** Bytes that permanent deletion frees. */
  size: bytes,
  deletedAt: time,
}

/** A deleted item, with what its store needs to restore it. */
export type TrashRecord = z.infer<typeof trashRecord>

export const trashRecord = z.discriminatedUnion('kind', [
  z.object({ ...trashed, kind: z.literal('file'), blobId, value: z.object({ file: fileRecord, links, releases }) }),
  z.object({
    ...trashed,
    kind: z.literal('project'),
    blobId: z.null(),
    value: z.object({ project: projectRecord, posts: z.array(postRecord).readonly(), links, releases }),
  }),
  z.object({
    ...trashed,
    kind: z.literal('picture'),
    blobId,
    /** `place`: among the screenshots, from 0. */
    value: z.object({ projectId: id, picture: pictureRecord, place: z.int().nonnegative() }),
  }),
])
