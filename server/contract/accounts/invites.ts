import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, idOrSlug, mailAddress, time } from '../fields'
import { tiers } from '../limits'

/**
 * An invite link for one new account, also while registration is closed. Only its hash is stored.
 */
export const inviteSchema = z.object({
  invite_id: id,
  /** Tier of the new account; null: the default tier. */
  tier_name: z.enum(tiers).nullable(),
  /** The address of the person; null: whoever has the link. */
  email: z.string().nullable(),
  /** The project that the new account collaborates on. */
  project: z.object({ project_id: id, title: z.string() }).nullable(),
  created_at: time,
  expires_at: time,
})
export type Invite = z.infer<typeof inviteSchema>

export const invites = {
  list: endpoint('GET', '/api/host/invites', {
    summary: 'The invite links that can still be used, newest first',
    access: 'host',
    input: z.object({}),
    reply: z.object({ invites: z.array(inviteSchema) }),
  }),
  create: endpoint('POST', '/api/host/invites', {
    summary: 'Create an invite link for one account; its address is in this reply only',
    access: 'host',
    input: z.object({
      email: describe(
        mailAddress.optional(),
        'The address of the person: the link is for no other one, and a provider of single ' +
          'sign-on that has verified it creates the account without the link',
        'kim@example.org',
      ),
      tier_name: describe(
        z.enum(tiers).optional(),
        'The tier of the new account; without it, the default tier',
        'Free',
      ),
      project_id: describe(
        idOrSlug.optional(),
        'A project of yours on which the new account collaborates',
        'r9Kx2vBn7MwD',
      ),
    }),
    reply: z.object({ invite: inviteSchema, url: z.string() }),
    status: 201,
    errors: ['not_found', 'forbidden'],
  }),
  revoke: endpoint('DELETE', '/api/host/invites/:id', {
    summary: 'Revoke an invite link',
    access: 'host',
    input: z.object({ id: describe(id, 'The id of the invite link', 'f4Tn8cWq2ZpL') }),
    errors: ['not_found'],
  }),
  look: endpoint('POST', '/api/auth/invite', {
    summary: 'The tier and the project of an invite link',
    access: 'anyone',
    input: z.object({
      invite: describe(
        z.string().max(200),
        'The token of an invite link: what follows `?invite=`',
        'Zx4tYw9LqM2rB7nKc5VhJg',
      ),
    }),
    reply: z.object({
      tier_name: z.string(),
      project_title: z.string().nullable(),
      expires_at: time,
    }),
    errors: ['invite_link_invalid'],
  }),
}
