import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, idOrSlug, line, time } from '../fields'

/** The code that a person types: eight consonants, in any case, with or without the hyphen. */
const code = describe(
  z.string().min(1, 'Enter the code of the terminal').max(20),
  'The code that the terminal shows',
  'BCDF-GHJK',
)

/** A machine that waits for its API key; after the OAuth device authorization grant (RFC 8628). */
export const pairings = {
  start: endpoint('POST', '/api/pairings', {
    summary:
      'Ask for an API key from a terminal: a person types the code on the page /pair within 5 ' +
      'minutes',
    access: 'anyone',
    input: z.object({
      /** The name of the machine, which the key gets. */
      name: describe(
        line(100).min(1, 'Give the machine a name'),
        'The name of the machine',
        'GitHub Actions',
      ),
      project_id: describe(
        idOrSlug.nullish(),
        'The project that the key is for, by id or slug',
        'r9Kx2vBn7MwD',
      ),
    }),
    reply: z.object({
      pairing_id: id,
      /** Code that the person types, such as `BCDF-GHJK`. */
      code: z.string(),
      /** Secret with which the machine collects the key. */
      secret: z.string(),
      expires_at: time,
    }),
    status: 201,
    errors: ['too_many_requests'],
  }),
  collect: endpoint('POST', '/api/pairings/:id/key', {
    summary: 'Collect the API key; it is in the first reply after the approval only',
    access: 'anyone',
    input: z.object({
      id: describe(id, 'The id of the pairing', 'f4Tn8cWq2ZpL'),
      secret: describe(
        z.string().max(100),
        'The secret from the reply that had the code',
        'Qm7rTz3WkX8vNc2LpY5hDf',
      ),
    }),
    reply: z.object({
      status: z.enum(['waiting', 'approved', 'denied']),
      api_key: z.string().nullable(),
      /** The project that the key is bound to. */
      project: z.object({ project_id: id, slug: z.string(), title: z.string() }).nullable(),
    }),
    errors: ['not_found'],
  }),
  look: endpoint('POST', '/api/pairings/look', {
    summary: 'Show the machine that waits with this code',
    access: 'session',
    input: z.object({ code }),
    reply: z.object({
      name: z.string(),
      /** IP address of the machine. */
      address: z.string(),
      /** The project that it asks for, if the caller may add files to it. */
      project_id: id.nullable(),
      expires_at: time,
    }),
    errors: ['not_found', 'too_many_requests'],
  }),
  answer: endpoint('POST', '/api/pairings/answer', {
    summary: 'Give the waiting machine an API key for one project, or deny it',
    access: 'session',
    asksAgain: 'with_factor',
    input: z.object({
      code,
      approve: z.boolean('Use true or false').describe('Whether the machine gets a key'),
      /** Required to approve. */
      project_id: describe(
        idOrSlug.nullish(),
        'The project that the key is for, by id or slug',
        'r9Kx2vBn7MwD',
      ),
      manage: z
        .boolean('Use true or false')
        .default(false)
        .describe('Whether the key also promotes and withdraws releases (scope `manage`)'),
    }),
    errors: ['not_found', 'forbidden', 'too_many_records', 'too_many_requests'],
  }),
}
