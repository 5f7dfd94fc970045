import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, time } from '../fields'

const manageSessionSchema = z.object({
  manage_id: id,
  since: time,
  /** Ends then, or at sign-out. */
  until: time,
  address: z.string(),
  browser: z.string(),
  current: z.boolean(),
})
export type ManageSession = z.infer<typeof manageSessionSchema>

export const manage = {
  begin: endpoint('POST', '/api/host/manage', {
    summary:
      'Let this session of the host account manage the host, with a link from `slipway manage`',
    access: 'session',
    input: z.object({
      link: z
        .string()
        .min(1)
        .max(100)
        .meta({
          description: 'The token of a link that `slipway manage` has printed',
          examples: ['Zx4tYw9LqM2rB7nKc5VhJg'],
        }),
    }),
    reply: z.object({ session: manageSessionSchema }),
    errors: ['manage_link_invalid', 'forbidden'],
  }),
  list: endpoint('GET', '/api/host/manage-sessions', {
    summary: 'The browser sessions that manage the host, oldest first',
    access: 'host',
    input: z.object({}),
    reply: z.object({ sessions: z.array(manageSessionSchema) }),
  }),
  end: endpoint('DELETE', '/api/host/manage-sessions/:id', {
    summary: 'Stop a browser session from managing the host; it stays signed in',
    access: 'host',
    input: z.object({ id: describe(id, 'The id of the session of that browser', 'f4Tn8cWq2ZpL') }),
    errors: ['not_found'],
  }),
}
