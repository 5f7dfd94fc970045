import { z } from 'zod'
import { endpoint } from '../endpoint'
import { atMost, describe, id, time } from '../fields'
import { HAND_OVERS_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../limits'
import { collaboratorRoles } from './collaborators'
import { proofs } from './proofs'

export const userSchema = z.object({
  user_id: id,
  username: z.string(),
  email: z.string(),
  tier_name: z.string(),
  /** Manages the host: settings, people and tiers. */
  is_host: z.boolean(),
  created_at: time,
})
export type User = z.infer<typeof userSchema>

const password = z
  .string()
  .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`)

export const registrationSchema = z.object({
  username: describe(
    z
      .string()
      .trim()
      .min(1, 'Enter a username')
      .regex(/^[A-Za-z0-9_-]{3,32}$/, 'Use 3 to 32 letters, digits, _ or -'),
    'The username; an email address works too when logging in',
    'maya',
  ),
  email: describe(
    z
      .string()
      .trim()
      .min(1, 'Enter an email address')
      .max(254, atMost('That email address is too long'))
      .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$|^[^\s@]+@localhost$/, 'Enter a valid email address'),
    'The email address',
    'maya@example.com',
  ),
  password: describe(password, 'The password', 'correct horse battery'),
})

export const passwordChangeSchema = z.object({
  current_password: describe(
    z.string().min(1, 'Enter your current password').max(PASSWORD_MAX).optional(),
    'Your current password; an account without one needs a proof in the last 15 minutes instead',
    'correct horse battery',
  ),
  new_password: describe(password, 'Your new password', 'a staple of my own'),
})

/** Fields that are left out keep their value. */
export const accountChangeSchema = z.object({
  username: describe(registrationSchema.shape.username.optional(), 'Your new username', 'maya'),
  email: describe(
    registrationSchema.shape.email.optional(),
    'Your new email address, which needs your current password',
    'maya@example.com',
  ),
  current_password: passwordChangeSchema.shape.current_password,
  email_digest: describe(
    z.boolean().optional(),
    'Whether this host emails you about new reports, requests for access and received files; ' +
      'a first email has a link that confirms your address',
    true,
  ),
})

const digestState = z
  .enum(['off', 'unconfirmed', 'on'])
  .describe(
    'Whether emails about what waits for you are sent; `unconfirmed`: once you open the link in ' +
      'the first one, within 24 hours',
  )

const accountSessionSchema = z.object({
  session_id: id,
  /** User-Agent and address at sign-in; null: not known. */
  browser: z.string().nullable(),
  address: z.string().nullable(),
  created_at: time,
  /** At most ten minutes late. */
  last_seen_at: time,
  /** What proved the person; null: not known. */
  proved_by: z.enum(proofs).nullable(),
  /** The name of the provider of single sign-on that began it; null: none did. */
  provider: z.string().nullable(),
  current: z.boolean(),
})
export type AccountSession = z.infer<typeof accountSessionSchema>

const passwordLink = describe(
  z.string().max(200),
  'The token of a link for a new password: what follows `?link=`',
  'Zx4tYw9LqM2rB7nKc5VhJg',
)

export const newPasswordSchema = z.object({ new_password: passwordChangeSchema.shape.new_password })

/** A project of the account, and who could take it. */
const projectToDecideSchema = z.object({
  project_id: id,
  title: z.string(),
  is_public: z.boolean(),
  /** Its files, and their bytes. */
  files: z.int(),
  size: z.int(),
  /** Maintainers first. */
  collaborators: z.array(z.object({ username: z.string(), role: z.enum(collaboratorRoles) })),
})

const deletionPreviewSchema = z.object({
  projects: z.array(projectToDecideSchema),
  /** All files of the account, and their bytes, with the trash. */
  files: z.int(),
  size: z.int(),
  api_keys: z.int(),
  file_requests: z.int(),
  /** Of all projects, also of those that are given away. */
  previews: z.int(),
  /** Projects of other people. */
  memberships: z.int(),
  /** How long the host account can restore the account. */
  restorable_days: z.int(),
})
export type DeletionPreview = z.infer<typeof deletionPreviewSchema>

export const accountDeletionSchema = z.object({
  current_password: passwordChangeSchema.shape.current_password,
  hand_over: z
    .array(
      z.object({
        project_id: describe(id, 'The id of a project of yours', 'r9Kx2vBn7MwD'),
        username: describe(z.string().max(80), 'A collaborator of it, who owns it then', 'sam'),
      }),
    )
    .max(HAND_OVERS_MAX)
    .default([])
    .describe('The projects that collaborators take over; all others are deleted'),
})

export const accounts = {
  register: endpoint('POST', '/api/auth/register', {
    summary: 'Create an account',
    access: 'anyone',
    input: registrationSchema.extend({
      setup: z
        .string()
        .max(100)
        .optional()
        .meta({
          description: 'The token of the setup link, which makes this account the host account',
          examples: ['Zx4tYw9LqM2rB7nKc5VhJg'],
        }),
      invite: describe(
        z.string().max(200).optional(),
        'The token of an invite link: what follows `?invite=`',
        'Zx4tYw9LqM2rB7nKc5VhJg',
      ),
    }),
    reply: z.object({ message: z.string(), user: userSchema }),
    status: 201,
    errors: [
      'taken',
      'registration_closed',
      'setup_link_invalid',
      'invite_link_invalid',
      'too_many_requests',
      'busy',
    ],
  }),
  login: endpoint('POST', '/api/auth/login', {
    summary: 'Start a session; the reply sets its cookie',
    access: 'anyone',
    input: z.object({
      username: describe(
        z.string().trim().min(1, 'Enter your username').max(254),
        'The username; an email address works too when logging in',
        'maya',
      ),
      password: describe(
        z.string().min(1, 'Enter your password').max(PASSWORD_MAX),
        'The password',
        'correct horse battery',
      ),
    }),
    reply: z.object({ user: userSchema }),
    errors: ['bad_credentials', 'factor_needed', 'account_disabled', 'too_many_requests', 'busy'],
  }),
  logout: endpoint('POST', '/api/auth/logout', {
    summary: 'End the session',
    access: 'anyone',
    beforeFactor: true,
    input: z.object({}),
  }),
  me: endpoint('GET', '/api/auth/me', {
    summary: 'The signed-in user',
    access: 'session',
    beforeFactor: true,
    input: z.object({}),
    /**
     * `manages_host`: the session may manage the host, in the app window or by a manage link.
     * `host_username`: whom to ask about the host; null: it has no host account. `lacks_factor`:
     * this host asks the account for a second factor, and it has none yet.
     */
    reply: z.object({
      user: userSchema,
      manages_host: z.boolean(),
      host_username: z.string().nullable(),
      lacks_factor: z.boolean(),
      email_digest: digestState,
    }),
  }),
  update: endpoint('PUT', '/api/auth/me', {
    summary:
      'Change your username, your email address, or whether you get emails about what waits for ' +
      'you; no session and no key ends',
    access: 'session',
    input: accountChangeSchema,
    reply: z.object({ user: userSchema, email_digest: digestState }),
    errors: [
      'not_supported',
      'taken',
      'bad_credentials',
      'proof_needed',
      'too_many_requests',
      'busy',
    ],
  }),
  changePassword: endpoint('POST', '/api/auth/password', {
    summary: 'Change your password; every other session ends',
    access: 'session',
    beforeFactor: true,
    asksAgain: 'with_factor',
    input: passwordChangeSchema,
    errors: ['bad_credentials', 'too_many_requests', 'busy'],
  }),
  previewDeletion: endpoint('GET', '/api/auth/me/deletion', {
    summary: 'What deletes with your account, and which collaborators could take your projects',
    access: 'session',
    input: z.object({}),
    reply: z.object({ deletion: deletionPreviewSchema }),
    errors: ['forbidden'],
  }),
  remove: endpoint('POST', '/api/auth/me/deletion', {
    summary: 'Delete your account; the host account can restore it for 7 days',
    access: 'session',
    asksAgain: 'with_factor',
    input: accountDeletionSchema,
    reply: z.object({ restorable_until: time }),
    errors: [
      'bad_credentials',
      'forbidden',
      'not_found',
      'quota_exceeded',
      'too_many_records',
      'too_many_requests',
      'busy',
    ],
  }),
  sessions: endpoint('GET', '/api/auth/sessions', {
    summary: 'Where you are signed in: this session, then the last used first',
    access: 'session',
    beforeFactor: true,
    input: z.object({}),
    reply: z.object({ sessions: z.array(accountSessionSchema) }),
  }),
  endSession: endpoint('DELETE', '/api/auth/sessions/:id', {
    summary: 'Sign out elsewhere',
    access: 'session',
    beforeFactor: true,
    input: z.object({ id: describe(id, 'The id of the session', 'f4Tn8cWq2ZpL') }),
    errors: ['not_found'],
  }),
  endOtherSessions: endpoint('DELETE', '/api/auth/sessions', {
    summary: 'Sign out everywhere else',
    access: 'session',
    beforeFactor: true,
    input: z.object({}),
  }),
  forgotPassword: endpoint('POST', '/api/auth/forgot-password', {
    summary:
      'Mail a link for a new password to the address of an account, where the host sends mail; ' +
      'the reply is the same for an account that does not exist',
    access: 'anyone',
    input: z.object({
      username: describe(
        z.string().trim().min(1, 'Enter your username').max(254),
        'The username, or the email address',
        'maya',
      ),
    }),
    reply: z.object({ message: z.string() }),
    errors: ['not_supported', 'too_many_requests'],
  }),
  lookPasswordLink: endpoint('POST', '/api/auth/password-link', {
    summary: 'The account of a link for a new password',
    access: 'anyone',
    input: z.object({ link: passwordLink }),
    reply: z.object({ username: z.string(), expires_at: time }),
    errors: ['password_link_invalid'],
  }),
  usePasswordLink: endpoint('PUT', '/api/auth/password-link', {
    summary: 'Set a new password by a link, once; every session of the account ends',
    access: 'anyone',
    input: newPasswordSchema.extend({ link: passwordLink }),
    reply: z.object({ message: z.string(), username: z.string() }),
    errors: ['password_link_invalid', 'busy'],
  }),
  check: endpoint('GET', '/api/auth/check', {
    summary: 'Whether the caller is signed in',
    access: 'anyone',
    beforeFactor: true,
    input: z.object({}),
    reply: z.object({ authenticated: z.boolean() }),
  }),
}
