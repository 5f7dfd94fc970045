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
  has_factor: z.boolean(),
  /** Whether an account at the provider of single sign-on opens it. */
  has_identity: z.boolean(),
  created_at: time,
  files: z.int(),
  used: z.int(),
})
export type Person = z.infer<typeof personSchema>

/** An account whose owner deleted it. */
const deletedPersonSchema = z.object({
  user_id: id,
  username: z.string(),
  email: z.string(),
  deleted_at: time,
  /** Time of permanent removal. */
  expires_at: time,
  /** What a restore brings back; `size` in bytes. */
  projects: z.int(),
  files: z.int(),
  size: z.int(),
  /** What it does not bring back. */
  ended: z.object({
    api_keys: z.int(),
    file_requests: z.int(),
    handed_over: z.int(),
  }),
})
export type DeletedPerson = z.infer<typeof deletedPersonSchema>

const personId = z.object({ id: describe(id, 'The id of the account', 'f4Tn8cWq2ZpL') })

const onePerson = z.object({ person: personSchema })

export const people = {
  list: endpoint('GET', '/api/host/people', {
    summary: 'The accounts of this host, oldest first',
    access: 'host',
    input: z.object({ ...page }),
    reply: z.object({
      people: z.array(personSchema),
      total: z.int(),
      /** Accounts that can be restored, on every page. */
      deleted: z.array(deletedPersonSchema),
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
    asksAgain: 'with_factor',
    input: z.object({ id: describe(id, 'The id of the account', 'f4Tn8cWq2ZpL') }),
    reply: z.object({ password: z.string(), person: personSchema }),
    errors: ['not_found', 'busy'],
  }),
  createPasswordLink: endpoint('POST', '/api/host/people/:id/password-link', {
    summary: 'Create a link by which a person sets a new password, once within an hour',
    access: 'host',
    asksAgain: 'with_factor',
    input: z.object({ id: describe(id, 'The id of the account', 'f4Tn8cWq2ZpL') }),
    reply: z.object({ url: z.string(), expires_at: time }),
    status: 201,
    errors: ['not_found'],
  }),
  removeFactors: endpoint('DELETE', '/api/host/people/:id/factors', {
    summary:
      'Remove the second factors of an account, whose owner has lost them; all its sessions end',
    access: 'host',
    asksAgain: 'with_factor',
    input: personId,
    reply: onePerson,
    errors: ['not_found'],
  }),
  unlink: endpoint('DELETE', '/api/host/people/:id/identity', {
    summary: 'Unlink the provider account of a person; all their sessions end',
    access: 'host',
    asksAgain: 'with_factor',
    input: personId,
    reply: onePerson,
    errors: ['not_found'],
  }),
  restore: endpoint('POST', '/api/host/deleted-people/:id/restore', {
    summary: 'Restore a deleted account with its projects, files and memberships',
    access: 'host',
    input: personId,
    reply: onePerson,
    errors: ['not_found', 'too_many_records'],
  }),
  erase: endpoint('DELETE', '/api/host/deleted-people/:id', {
    summary: 'Remove a deleted account permanently, before its 7 days are over',
    access: 'host',
    asksAgain: 'with_factor',
    input: personId,
    errors: ['not_found'],
  }),
  setRegistration: endpoint('PUT', '/api/host/registration', {
    summary: 'Open or close the registration of new accounts',
    access: 'host',
    input: z.object({ open: z.boolean().describe('Whether new accounts can be registered') }),
    reply: z.object({ registration_open: z.boolean() }),
  }),
}
