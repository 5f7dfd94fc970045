import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, line, time } from '../fields'
import { PASSWORD_MAX } from '../limits'
import { userSchema } from './accounts'

const passkeySchema = z.object({
  passkey_id: id,
  name: z.string(),
  /** The name of the host for which it was made: it works at no other one. */
  host: z.string(),
  created_at: time,
  last_used_at: time.nullable(),
})
export type Passkey = z.infer<typeof passkeySchema>

const factorsSchema = z.object({
  /** Codes of an app; null: none. */
  codes: z.object({ created_at: time, last_used_at: time.nullable() }).nullable(),
  passkeys: z.array(passkeySchema),
  recovery_codes_left: z.int(),
  /** Where passkeys of this host work, best first; empty: the host has no name over HTTPS. */
  passkey_origins: z.array(z.url()),
})
export type Factors = z.infer<typeof factorsSchema>

const code = describe(
  z.string().trim().min(1, 'Enter a code').max(100, 'That is not a code'),
  'The six digits that the app shows, or a recovery code',
  '492039',
)

const signInTicket = describe(
  z.string().max(2000),
  'The `sign_in_ticket` of the reply `factor_needed`',
  'Qm9hdHMgYXJlIGJ1aWx0IG9uIGEgc2xpcHdheQ',
)

const answer = describe(
  z.record(z.string(), z.unknown()),
  'What the browser returned for the options, as JSON (WebAuthn §5.1.8)',
  { id: 'pQECAyYgASFYIA', type: 'public-key' },
)

const passkeyName = describe(
  line(60).min(1, 'Enter a name'),
  'A name by which you recognize it',
  'Laptop',
)
const passkeyId = describe(id, 'The id of the passkey', 'f4Tn8cWq2ZpL')

/** The options of `navigator.credentials`, as JSON. */
const options = z.object({ options: z.record(z.string(), z.unknown()) })

/** Shown in this reply only; null: the account keeps those that it has. */
const newCodes = z.array(z.string()).nullable()

const setup = describe(
  z.string().max(2000),
  'The `setup` of the reply that began it',
  'Qm9hdHMgYXJlIGJ1aWx0IG9uIGEgc2xpcHdheQ',
)

const tries = ['bad_credentials', 'too_many_requests'] as const

/** Second factors: calls of a person about their own account, and their sign-in. */
export const factors = {
  signInByCode: endpoint('POST', '/api/auth/login/code', {
    summary: 'Start a session with a code, after the password',
    access: 'anyone',
    input: z.object({ sign_in_ticket: signInTicket, code }),
    reply: z.object({ user: userSchema, recovery_codes_left: z.int() }),
    errors: [...tries, 'sign_in_expired'],
  }),
  passkeyOptions: endpoint('POST', '/api/auth/login/passkey/options', {
    summary: 'What a passkey signs to start a session',
    access: 'anyone',
    input: z.object({
      sign_in_ticket: describe(
        signInTicket.optional(),
        'With the `sign_in_ticket` of the reply `factor_needed`: only passkeys of that account',
        'Qm9hdHMgYXJlIGJ1aWx0IG9uIGEgc2xpcHdheQ',
      ),
    }),
    reply: options,
    errors: ['not_found', 'sign_in_expired'],
  }),
  signInByPasskey: endpoint('POST', '/api/auth/login/passkey', {
    summary: 'Start a session with a passkey; it needs no password',
    access: 'anyone',
    input: z.object({ response: answer }),
    reply: z.object({ user: userSchema }),
    errors: [...tries, 'not_found', 'account_disabled'],
  }),
  prove: endpoint('POST', '/api/auth/proof', {
    summary:
      'Prove again that it is you, for 15 minutes: by a code or a passkey; without a second ' +
      'factor, and in the app window, by the password',
    access: 'session',
    beforeFactor: true,
    input: z.object({
      code: code.optional(),
      passkey: answer.optional(),
      password: describe(z.string().max(PASSWORD_MAX).optional(), 'Your password', 'a long one'),
    }),
    errors: [...tries, 'busy'],
  }),
  show: endpoint('GET', '/api/auth/factors', {
    summary: 'Your second factors',
    access: 'session',
    beforeFactor: true,
    input: z.object({}),
    reply: z.object({ factors: factorsSchema }),
  }),
  beginCodes: endpoint('POST', '/api/auth/factors/codes', {
    summary: 'Create a secret for an app that shows codes; nothing is stored yet',
    access: 'session',
    beforeFactor: true,
    asksAgain: 'always',
    input: z.object({}),
    /** `secret`: what `url`, the content of the QR code, has for people who type. */
    reply: z.object({ setup: z.string(), secret: z.string(), url: z.string() }),
    errors: ['taken'],
  }),
  addCodes: endpoint('PUT', '/api/auth/factors/codes', {
    summary: 'Ask for codes of the app from now on; every other session ends',
    access: 'session',
    beforeFactor: true,
    asksAgain: 'always',
    input: z.object({ setup, code }),
    reply: z.object({ recovery_codes: newCodes }),
    errors: [...tries, 'sign_in_expired', 'taken'],
  }),
  removeCodes: endpoint('DELETE', '/api/auth/factors/codes', {
    summary: 'Ask for no codes any more; every other session ends',
    access: 'session',
    beforeFactor: true,
    asksAgain: 'always',
    input: z.object({}),
    errors: ['not_found'],
  }),
  renewRecoveryCodes: endpoint('POST', '/api/auth/factors/recovery-codes', {
    summary: 'Replace your recovery codes, shown in this reply only',
    access: 'session',
    beforeFactor: true,
    asksAgain: 'always',
    input: z.object({}),
    reply: z.object({ recovery_codes: z.array(z.string()) }),
    errors: ['not_found'],
  }),
  newPasskeyOptions: endpoint('POST', '/api/auth/factors/passkeys/options', {
    summary: 'What a browser needs to create a passkey',
    access: 'session',
    beforeFactor: true,
    asksAgain: 'always',
    input: z.object({}),
    reply: options,
    errors: ['not_found'],
  }),
  addPasskey: endpoint('POST', '/api/auth/factors/passkeys', {
    summary: 'Add a passkey; every other session ends',
    access: 'session',
    beforeFactor: true,
    asksAgain: 'always',
    input: z.object({ name: passkeyName, response: answer }),
    reply: z.object({ passkey: passkeySchema, recovery_codes: newCodes }),
    status: 201,
    errors: ['not_found', 'taken', 'too_many_records'],
  }),
  renamePasskey: endpoint('PUT', '/api/auth/factors/passkeys/:id', {
    summary: 'Rename a passkey',
    access: 'session',
    beforeFactor: true,
    input: z.object({ id: passkeyId, name: passkeyName }),
    reply: z.object({ passkey: passkeySchema }),
    errors: ['not_found'],
  }),
  removePasskey: endpoint('DELETE', '/api/auth/factors/passkeys/:id', {
    summary: 'Remove a passkey; every other session ends',
    access: 'session',
    beforeFactor: true,
    asksAgain: 'always',
    input: z.object({ id: passkeyId }),
    errors: ['not_found', 'in_use'],
  }),
}
