import { z } from 'zod'
import { endpoint } from './endpoint'
import { problemSchema } from './errors'
import { id, idOrSlug } from './fields'
import { fileSchema, releaseFields } from './files'

/** How far a file of this machine has come. The last event has either the file or what went wrong. */
const localProgressSchema = z.object({
  /** Bytes that are in place. When all are, the host computes the digest and saves. */
  bytes: z.int(),
  size: z.int(),
  file: fileSchema.nullable(),
  problem: problemSchema.nullable(),
})
export type LocalProgress = z.infer<typeof localProgressSchema>

/** Files of the host's own machine. A page names them by what a person gave to the app window, never by a path. */
export const localFiles = {
  publish: endpoint({
    method: 'POST',
    path: '/api/local-files',
    summary:
      'Publish a file of this computer in place, with events of the type `progress`; closing the connection cancels it',
    access: 'window',
    input: z.object({
      /** What the window was told when the person dropped or chose the file; good for one publication. */
      offer_id: id,
      is_public: z.boolean('Use true or false').default(false),
      /** Links the file to this project (id or slug) in the same moment. */
      project_id: idOrSlug.nullish(),
      ...releaseFields,
    }),
    reply: localProgressSchema,
    events: true,
    errors: ['not_found', 'forbidden', 'quota_exceeded', 'precondition_failed', 'too_large', 'disk_full'],
  }),
}
