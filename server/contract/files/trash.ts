import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, page, time } from '../fields'
import { manyIds, manyOutcome } from '../many'

export const trashedSchema = z.object({
  trash_id: id,
  kind: z.enum(['file', 'project', 'picture', 'release']),
  /** Filename, title, which picture of which project, or title and version. */
  name: z.string(),
  /**
   * Bytes that "delete forever" frees: of the file, the picture or the files of the release, or of
   * the text of the project and its posts.
   */
  size: z.int().nonnegative(),
  deleted_at: time,
  /** Time of permanent deletion. */
  expires_at: time,
})
export type Trashed = z.infer<typeof trashedSchema>

const byId = z.object({ id: describe(id, 'The id of the deleted item', 'f4Tn8cWq2ZpL') })

export const trash = {
  list: endpoint('GET', '/api/trash', {
    summary: 'What you deleted in the last 7 days, newest first',
    access: 'user',
    heavy: true,
    input: z.object({ ...page }),
    reply: z.object({
      items: z.array(trashedSchema),
      total: z.int(),
      size: z.int().describe('Bytes that emptying the trash frees'),
    }),
  }),
  restore: endpoint('POST', '/api/trash/:id/restore', {
    summary: 'Restore a deleted file, project, picture or release',
    access: 'user',
    input: byId,
    errors: ['not_found', 'quota_exceeded', 'too_many_records'],
  }),
  restoreMany: endpoint('POST', '/api/trash/restore', {
    summary: 'Restore several deleted items; the reply has a result for each',
    access: 'user',
    input: z.object({
      trash_ids: describe(manyIds, 'The ids of the deleted items', ['f4Tn8cWq2ZpL']),
    }),
    reply: manyOutcome,
  }),
  remove: endpoint('DELETE', '/api/trash/:id', {
    summary: 'Delete forever, and free the space immediately',
    access: 'user',
    asksAgain: 'with_factor',
    input: byId,
    errors: ['not_found'],
  }),
  removeMany: endpoint('POST', '/api/trash/delete', {
    summary: 'Delete several items forever; the reply has a result for each',
    access: 'user',
    asksAgain: 'with_factor',
    input: z.object({
      trash_ids: describe(manyIds, 'The ids of the deleted items', ['f4Tn8cWq2ZpL']),
    }),
    reply: manyOutcome,
  }),
  empty: endpoint('DELETE', '/api/trash', {
    summary: 'Empty the trash: delete everything in it forever',
    access: 'user',
    asksAgain: 'with_factor',
    input: z.object({}),
    reply: z.object({ deleted: z.int() }),
  }),
}
