import { z } from 'zod'
import { endpoint } from './endpoint'

export const hostSchema = z.object({
  version: z.string(),
  /** The address to put into links and examples: `http://host:port`, without a final slash. */
  share_url: z.url(),
  /** Whether other machines can reach `share_url`. */
  reachable: z.boolean(),
  registration_open: z.boolean(),
  /** True while nothing can be changed, because the disk is full or failing; reading goes on. */
  read_only: z.boolean(),
})
export type Host = z.infer<typeof hostSchema>

export const host = {
  about: endpoint({
    method: 'GET',
    path: '/api/host',
    summary: 'This host: its version, and the address to share',
    access: 'anyone',
    input: z.object({}),
    reply: z.object({ host: hostSchema }),
    errors: [],
  }),
}
