import { z } from 'zod'
import { endpoint } from '../endpoint'
import { problemSchema } from '../problem'
import { warnings } from './facts'
import { describe, id, isPublic, targetProject } from '../fields'
import { fileSchema, releaseFields } from './files'

/** Progress of publishing a local file. The last event has the file or an error. */
const localProgressSchema = z.object({
  /** Bytes copied. Then the host computes the digest and saves. */
  bytes: z.int(),
  size: z.int(),
  file: fileSchema.nullable(),
  warnings,
  problem: problemSchema.nullable(),
})
export type LocalProgress = z.infer<typeof localProgressSchema>

/** Files on the host's machine. Pages use ids from the app window, never paths. */
export const localFiles = {
  publish: endpoint('POST', '/api/local-files', {
    summary:
      'Publish a file of this computer in place, with events of the type `progress`; closing ' +
      'the connection cancels it',
    access: 'window',
    input: z.object({
      offer_id: describe(
        id,
        'The id that the window got when a person dropped or chose the file; valid once',
        'f4Tn8cWq2ZpL',
      ),
      is_public: isPublic.default(false),
      project_id: targetProject,
      ...releaseFields,
      strict: z
        .boolean('Use true or false')
        .default(false)
        .describe('Whether to reject a build with warnings and keep nothing'),
    }),
    reply: localProgressSchema,
    events: true,
    errors: [
      'not_found',
      'forbidden',
      'quota_exceeded',
      'precondition_failed',
      'too_large',
      'build_mismatch',
      'disk_full',
    ],
  }),
}
