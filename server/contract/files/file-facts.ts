import { z } from 'zod'
import { endpoint } from '../endpoint'
import { factsSchema, warnings } from './facts'
import { describe, fileAbilities, fileId, idOrSlug, line } from '../fields'
import { platformCheckSchema } from './platform-checks'

const byId = z.object({ id: fileId })
const factsReply = z.object({
  facts: factsSchema.nullable(),
  /**
   * Why there are no facts, or why package managers cannot list the package. A sentence for people.
   */
  reason: z.string().nullable(),
  /** Whether Slipway reads files with this extension. */
  is_package: z.boolean(),
  /** What systems ask before they install the build: read it before you publish. */
  platform_checks: z.array(platformCheckSchema),
  /** The caller's permissions for the file: `update` reads it again. */
  can: fileAbilities,
})

/** The facts of a file's package. */
export const fileFacts = {
  facts: endpoint('GET', '/api/files/:id/facts', {
    summary:
      'What the package says about itself: application, version, platform, signer; or why it ' +
      'cannot be read. `platform_checks` are what systems ask before they install it',
    access: 'anyone',
    input: byId.extend({
      project: describe(
        idOrSlug.optional(),
        'A project that you may add it to: also returns the warnings that it would have there',
        'lantern',
      ),
      version: describe(line(64).optional(), 'The version that it would have there', '1.4.0'),
    }),
    reply: factsReply.extend({
      /** What to check before the file is published; empty for files of others. */
      warnings,
    }),
    errors: ['not_found'],
  }),
  readAgain: endpoint('POST', '/api/files/:id/facts', {
    summary: 'Read the package again',
    access: 'user',
    input: byId,
    reply: factsReply,
    errors: ['not_found', 'forbidden'],
  }),
  icon: endpoint('GET', '/api/files/:id/icon', {
    summary: 'The icon of the application, as a PNG',
    access: 'anyone',
    input: byId,
    download: true,
    errors: ['not_found', 'precondition_failed', 'range_not_satisfiable'],
  }),
}
