import { z } from 'zod'
import { endpoint, type Endpoint } from './endpoint'
import type { ErrorCode } from './errors'
import { feeds } from './feeds'
import { channel, id, idOrSlug, line, time } from './fields'
import { PASSWORD_MAX, PASSWORD_MIN } from './limits'
import { releases } from './releases'

/** A link for people without an account to the releases of one channel, and of `stable`. Only its hash is stored. */
export const testerLinkSchema = z.object({
  tester_id: id,
  name: z.string(),
  channel: z.string(),
  created_at: time,
  expires_at: time,
  /** Whether it has not ended yet. */
  active: z.boolean(),
  has_password: z.boolean(),
  /** How often its page was opened and its files were downloaded. */
  opens: z.int(),
  downloads: z.int(),
  /** Null: never. */
  last_opened_at: time.nullable(),
})
export type TesterLink = z.infer<typeof testerLinkSchema>

const ofProject = z.object({ id: idOrSlug })
const ofTester = ofProject.extend({ testerId: id })
const oneTester = z.object({ tester: testerLinkSchema })
const manageErrors = ['not_found', 'forbidden'] as const

export const testerFieldsSchema = z.object({
  name: line(60).min(1, 'Give the link a name'),
  channel: channel.default('beta'),
  /** At most a year from now; default: in 30 days. */
  expires_at: time.optional(),
  password: z
    .string()
    .min(PASSWORD_MIN, `Use at least ${PASSWORD_MIN} characters`)
    .max(PASSWORD_MAX, `Use at most ${PASSWORD_MAX} characters`)
    .optional(),
})
const { name, expires_at, password } = testerFieldsSchema.shape

/** Any text, so that each wrong token gets the same reply. */
const token = z.string().max(200)
/** Of a link with a password: none was sent, a wrong one, or too many wrong ones. */
const passwordErrors = ['bad_credentials', 'too_many_requests', 'busy'] as const

type Twin<Of extends Endpoint<z.ZodObject<{ id: typeof idOrSlug }>>> = Omit<Of, 'path' | 'input' | 'errors'> & {
  path: `/t/${string}`
  input: z.ZodObject<Omit<Of['input']['shape'], 'id'> & { token: typeof token }>
  errors: readonly (Of['errors'][number] | (typeof passwordErrors)[number])[]
}

/** Describes the address below a tester link that does what a public one does. */
function forTesters<Of extends Endpoint<z.ZodObject<{ id: typeof idOrSlug }>>>(of: Of): Twin<Of> {
  const { id: _, ...rest } = of.input.shape
  const errors = new Set<ErrorCode>([...of.errors, ...passwordErrors])
  return {
    ...of,
    path: of.path.replace('/p/:id', '/t/:token'),
    summary: `${of.summary}; for testers`,
    input: z.object({ token, ...rest }),
    errors: [...errors],
    boundKeys: undefined,
  } as unknown as Twin<Of>
}

export const testers = {
  list: endpoint({
    method: 'GET',
    path: '/api/projects/:id/testers',
    summary: 'The tester links of a project, newest first, for the owner and collaborators',
    access: 'user',
    boundKeys: true,
    input: ofProject,
    reply: z.object({ testers: z.array(testerLinkSchema) }),
    errors: manageErrors,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/projects/:id/testers',
    summary: 'Create a tester link; its address is in this reply only',
    access: 'user',
    input: ofProject.extend(testerFieldsSchema.shape),
    reply: oneTester.extend({ url: z.string() }),
    status: 201,
    errors: [...manageErrors, 'too_many_records', 'busy'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/projects/:id/testers/:testerId',
    summary: 'Change a tester link; fields that are left out keep their value, and a password of null is removed',
    access: 'user',
    input: ofTester.extend({
      name: name.optional(),
      channel: channel.optional(),
      expires_at,
      password: password.nullable(),
    }),
    reply: oneTester,
    errors: [...manageErrors, 'busy'],
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/projects/:id/testers/:testerId',
    summary: 'Revoke a tester link at once; running downloads through it end',
    access: 'user',
    input: ofTester,
    reply: z.object({}),
    errors: manageErrors,
  }),
  unlock: endpoint({
    method: 'POST',
    path: '/t/:token/unlock',
    summary: 'Send the password of a tester link, as JSON or a form; sets a cookie for its addresses',
    access: 'anyone',
    input: z.object({ token, password: z.string().min(1, 'Enter the password').max(PASSWORD_MAX) }),
    reply: z.object({}),
    status: 302,
    errors: ['not_found', ...passwordErrors],
  }),
  download: forTesters(releases.download),
  latestPage: forTesters(releases.latestPage),
  latestFile: forTesters(releases.latestFile),
  latestFileOfArch: forTesters(releases.latestFileOfArch),
  atom: forTesters(feeds.atom),
  json: forTesters(feeds.json),
  electron: forTesters(feeds.electron),
  electronFile: forTesters(feeds.electronFile),
}
