import { z } from 'zod'
import { endpoint, type Endpoint } from '../endpoint'
import type { ErrorCode } from '../errors'
import { feeds } from './feeds'
import { pictures } from './pictures'
import {
  channel,
  describe,
  fileId,
  id,
  idOrSlug,
  line,
  projectId,
  releaseVersion,
  testerToken,
  time,
} from '../fields'
import { TESTER_DAYS } from '../limits'
import { changedPassword, enteredPassword, linkEnd, linkPassword } from '../link-fields'
import { releases } from './releases'

/**
 * A link for people without an account to the releases of one channel, and of `stable`. Only its
 * hash is stored.
 */
export const testerLinkSchema = z.object({
  tester_id: id,
  name: z.string(),
  channel: z.string(),
  /** What the person wrote who asked for access; null: a member made the link. */
  asked: z.object({ email: z.string().nullable(), note: z.string(), at: time }).nullable(),
  created_at: time,
  expires_at: time,
  /** Whether the link is still valid. */
  active: z.boolean(),
  has_password: z.boolean(),
  /** Page views and file downloads. */
  opens: z.int(),
  downloads: z.int(),
  /** Null: never. */
  last_opened_at: time.nullable(),
  /** The newest version of each platform that was downloaded by it, newest first. */
  versions: z.array(z.object({ version: z.string(), platform: z.string().nullable(), at: time })),
  /** Its iPhones and iPads, newest first; devices.txt has their identifiers. */
  devices: z.array(
    z.object({
      /** Apple's name of the model: `iPhone15,2`. */
      model: z.string(),
      at: time,
      /** Whether Apple's authority for devices issued the certificate that signed it. */
      confirmed: z.boolean(),
    }),
  ),
  /** When its page was last opened, a file downloaded, or a program asked for updates. */
  last_seen_at: time.nullable(),
  /** The username of the member who made it; null: not known. */
  created_by: z.string().nullable(),
})
export type TesterLink = z.infer<typeof testerLinkSchema>

const ofProject = z.object({ id: projectId })
const ofTester = ofProject.extend({
  testerId: describe(id, 'The id of the tester link', 't5Yd9pRw3KfM'),
})
const oneTester = z.object({ tester: testerLinkSchema })
const manageErrors = ['not_found', 'forbidden'] as const

export const testerFieldsSchema = z.object({
  name: describe(
    line(60).min(1, 'Give the link a name'),
    'Who the link is for',
    'Beta group, Berlin',
  ),
  channel: describe(
    channel.default('beta'),
    'The channel whose releases it shows, beside stable; default: beta',
    'beta',
  ),
  expires_at: linkEnd(TESTER_DAYS.usual),
  password: linkPassword,
})
const { name, expires_at } = testerFieldsSchema.shape

/** Errors of a link with a password: missing, wrong, or too many wrong ones. */
const passwordErrors = ['bad_credentials', 'too_many_requests', 'busy'] as const

type Twin<Of extends Endpoint<z.ZodObject<{ id: typeof idOrSlug }>>> = Omit<
  Of,
  'path' | 'input' | 'errors'
> & {
  path: `/t/${string}`
  input: z.ZodObject<Omit<Of['input']['shape'], 'id'> & { token: typeof testerToken }>
  errors: readonly (Of['errors'][number] | (typeof passwordErrors)[number])[]
}

/** Derives the endpoint below a tester link from the public one. */
function forTesters<Of extends Endpoint<z.ZodObject<{ id: typeof idOrSlug }>>>(of: Of): Twin<Of> {
  const { id: _, ...rest } = of.input.shape
  const errors = new Set<ErrorCode>([...of.errors, ...passwordErrors])
  return {
    ...of,
    path: of.path.replace('/p/:id', '/t/:token'),
    summary: `${of.summary}; for testers`,
    input: z.object({ token: testerToken, ...rest }),
    errors: [...errors],
    boundKeys: undefined,
  } as unknown as Twin<Of>
}

export const testers = {
  list: endpoint('GET', '/api/projects/:id/testers', {
    summary:
      'The tester links of a project, newest first, with the versions that they have, for the ' +
      'owner and collaborators',
    access: 'user',
    boundKeys: true,
    input: ofProject.extend({
      below: describe(
        releaseVersion.optional(),
        'Only links that have a version below this one',
        '1.4.0',
      ),
    }),
    reply: z.object({
      testers: z.array(testerLinkSchema),
      /**
       * The versions that valid links have, and the newest that they show, newest first, each
       * with the number of links that have it, and of those that have a lower one.
       */
      by_version: z.array(z.object({ version: z.string(), has: z.int(), below: z.int() })),
    }),
    errors: manageErrors,
  }),
  create: endpoint('POST', '/api/projects/:id/testers', {
    summary: 'Create a tester link; its address is in this reply only',
    access: 'user',
    input: ofProject.extend(testerFieldsSchema.shape),
    reply: oneTester.extend({ url: z.string() }),
    status: 201,
    errors: [...manageErrors, 'too_many_records', 'busy'],
  }),
  update: endpoint('PUT', '/api/projects/:id/testers/:testerId', {
    summary:
      'Change a tester link; fields that are left out keep their value, and a password of ' +
      'null is removed',
    access: 'user',
    input: ofTester.extend({
      name: describe(name.optional(), 'Who the link is for', 'Beta group, Berlin'),
      channel: describe(
        channel.optional(),
        'The channel whose releases it shows, beside stable; default: beta',
        'stable',
      ),
      expires_at,
      password: changedPassword,
    }),
    reply: oneTester,
    errors: [...manageErrors, 'busy'],
  }),
  revoke: endpoint('DELETE', '/api/projects/:id/testers/:testerId', {
    summary: 'Revoke a tester link at once; running downloads through it end',
    access: 'user',
    input: ofTester,
    errors: manageErrors,
  }),
  unlock: endpoint('POST', '/t/:token/unlock', {
    summary:
      'Send the password of a tester link, as JSON or a form; sets a cookie for its addresses',
    access: 'anyone',
    input: z.object({
      token: testerToken,
      password: enteredPassword,
    }),
    status: 302,
    errors: ['not_found', ...passwordErrors],
  }),
  forget: endpoint('POST', '/t/:token/forget', {
    summary:
      'Remove which versions were downloaded by a tester link, when it was last used, and what ' +
      'its person wrote to get access; for that person',
    access: 'anyone',
    input: z.object({ token: testerToken }),
    status: 302,
    errors: ['not_found', ...passwordErrors, 'read_only'],
  }),
  icon: endpoint('GET', '/t/:token/icons/:file_id', {
    summary: 'The icon of an application that testers get, as a PNG',
    access: 'anyone',
    input: z.object({ token: testerToken, file_id: fileId }),
    download: true,
    errors: ['not_found', ...passwordErrors, 'precondition_failed', 'range_not_satisfiable'],
  }),
  download: forTesters(releases.download),
  latestPage: forTesters(releases.latestPage),
  latestFile: forTesters(releases.latestFile),
  latestFileOfArch: forTesters(releases.latestFileOfArch),
  atom: forTesters(feeds.atom),
  json: forTesters(feeds.json),
  repository: forTesters(feeds.repository),
  searchWinget: forTesters(feeds.searchWinget),
  electron: forTesters(feeds.electron),
  electronFile: forTesters(feeds.electronFile),
  picture: forTesters(pictures.file),
}
