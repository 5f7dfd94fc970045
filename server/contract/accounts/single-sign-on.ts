import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, time } from '../fields'
import { userSchema } from './accounts'

/** The account at the provider that signs a person in, as that person sees it. */
const linkedIdentitySchema = z.object({
  issuer: z.url(),
  /** What the provider calls the person, for display; null: it said nothing. */
  label: z.string().nullable(),
  created_at: time,
  last_used_at: time.nullable(),
})
export type LinkedIdentity = z.infer<typeof linkedIdentitySchema>

/** The page of the provider that continues. */
const redirect = z.object({ url: z.url() })

/** Single sign-on: an OpenID Connect provider that the host account has chosen. */
export const singleSignOn = {
  begin: endpoint('POST', '/api/auth/sso', {
    summary:
      'Where to sign in with the provider of this host; the reply sets a cookie for this browser',
    access: 'anyone',
    beforeFactor: true,
    input: z.object({
      invite: describe(
        z.string().max(200).optional(),
        'The token of an invite link, to create an account with it',
        'Zx4tYw9LqM2rB7nKc5VhJg',
      ),
      again: z
        .boolean('Use true or false')
        .default(false)
        .describe('Whether the signed-in person proves again who they are, in place of a sign-in'),
    }),
    reply: redirect,
    errors: ['not_found', 'sign_in_required', 'forbidden', 'invite_link_invalid', 'sso_failed'],
  }),
  finish: endpoint('POST', '/api/auth/sso/callback', {
    summary: 'Finish what the provider has answered: sign in, link the account, or prove a person',
    access: 'anyone',
    beforeFactor: true,
    input: z.object({
      query: describe(
        z.string().max(8000),
        'The query with which the provider opened the page `/login/sso`',
        '?code=f4Tn8cWq2ZpL&state=Zx4tYw9LqM2rB7nKc5VhJg',
      ),
    }),
    reply: z.object({ user: userSchema, did: z.enum(['signed_in', 'linked', 'proved']) }),
    errors: [
      'not_found',
      'sign_in_expired',
      'sign_in_required',
      'sso_failed',
      'not_linked',
      'factor_needed',
      'account_disabled',
      'taken',
      'invite_link_invalid',
      'too_many_requests',
      'busy',
    ],
  }),
  show: endpoint('GET', '/api/auth/sso/identity', {
    summary: 'The account at the provider that is linked to yours',
    access: 'session',
    beforeFactor: true,
    input: z.object({}),
    /** `has_password`: the person can also sign in without the provider. */
    reply: z.object({ identity: linkedIdentitySchema.nullable(), has_password: z.boolean() }),
  }),
  link: endpoint('POST', '/api/auth/sso/identity', {
    summary: 'Where to sign in with the provider to link that account to yours',
    access: 'session',
    asksAgain: 'always',
    input: z.object({}),
    reply: redirect,
    errors: ['not_found', 'taken', 'sso_failed'],
  }),
  unlink: endpoint('DELETE', '/api/auth/sso/identity', {
    summary: 'Unlink your provider account; every other session ends',
    access: 'session',
    asksAgain: 'always',
    input: z.object({}),
    errors: ['not_found', 'in_use'],
  }),
  logout: endpoint('POST', '/api/auth/sso/logout', {
    summary:
      'For the provider: end the sessions of a person who signed out there (OpenID Connect ' +
      'Back-Channel Logout 1.0)',
    access: 'anyone',
    input: z.object({
      logout_token: describe(
        z.string().max(8000),
        'The logout token, in a body of the type application/x-www-form-urlencoded',
        'eyJhbGciOiJFUzI1NiJ9.e30.MEUCIQ',
      ),
    }),
    errors: ['not_found', 'busy'],
  }),
}
