import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, page, time } from '../fields'
import { tiers } from '../limits'

export const personSchema = z.object({
  user_id: id,
  username: z.string(),
  email: z.string(),
  tier_name: z.enum(tiers),
  is_host: z.boolean(),
  disabled: z.boolean(),
  created_at: time,
  files: z.int(),
  used: z.int(),
})
export type Person = z.infer<typeof personSchema>

const onePerson = z.object({ person: personSchema })

export const people = {
  list: endpoint('GET', '/api/host/people', {
    summary: 'The accounts of this host, oldest first',
    access: 'host',
    input: z.object({ ...page }),
    reply: z.object({
      people: z.array(personSchema),
      total: z.int(),
      registration_open: z.boolean(),
    }),
  }),
  update: endpoint('PUT', '/api/host/people/:id', {
    summary: 'Change the tier of an account, or disable and enable it',
    access: 'host',
    input: z.object({
      id: describe(id, 'The id of the account', 'f4Tn8cWq2ZpL'),
      tier_name: describe(z.enum(tiers).optional(), 'The storage tier', 'Free'),
      disabled: z.boolean().optional().describe('Whether the account is disabled'),
    }),
    reply: onePerson,
    errors: ['not_found'],
  }),
  resetPassword: endpoint('POST', '/api/host/people/:id/reset-password', {
    summary: 'Give an account a new password, shown in this reply only; all its sessions end',
    access: 'host',
    input: z.object({ id: describe(id, 'The id of the account', 'f4Tn8cWq2ZpL') }),
    reply: z.object({ password: z.string(), person: personSchema }),
    errors: ['not_found', 'busy'],
  }),
  createPasswordLink: endpoint('POST', '/api/host/people/:id/password-link', {
    summary: 'Create a link by which a person sets a new password, once within an hour',
    access: 'host',
    input: z.object({ id: describe(id, 'The id of the account', 'f4Tn8cWq2ZpL') }),
    reply: z.object({ url: z.string(), expires_at: time }),
    status: 201,
    errors: ['not_found'],
  }),
  setRegistration: endpoint('PUT', '/api/host/registration', {
    summary: 'Open or close the registration of new accounts',
    access: 'host',
    input: z.object({ open: z.boolean().describe('Whether new accounts can be registered') }),
    reply: z.object({ registration_open: z.boolean() }),
  }),
}
