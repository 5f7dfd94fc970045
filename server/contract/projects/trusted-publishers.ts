import { z } from 'zod'
import { endpoint } from '../endpoint'
import { describe, id, idOrSlug, line, projectId, time } from '../fields'

/** The forges whose jobs can prove which repository they run for. */
export const publisherProviders = ['github', 'gitlab'] as const
export type PublisherProvider = (typeof publisherProviders)[number]

/** Who issues the tokens of each forge's own service. */
export const defaultIssuers: Readonly<Record<PublisherProvider, string>> = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
}

/** A job of this repository may upload to the project without a stored key. */
export const trustedPublisherSchema = z.object({
  publisher_id: id,
  provider: z.enum(publisherProviders),
  issuer: z.string(),
  repository: z.string(),
  /** Null: jobs of any branch. */
  branch: z.string().nullable(),
  /** Null: jobs of any tag, unless a branch is named. A final `*` stands for anything. */
  tag: z.string().nullable(),
  /** Null: jobs of any environment. */
  environment: z.string().nullable(),
  created_at: time,
  /** When a job last got a key; null: never. */
  last_used: time.nullable(),
})
export type TrustedPublisher = z.infer<typeof trustedPublisherSchema>

const ref = line(200)
export const publisherFieldsSchema = z.object({
  provider: describe(
    z.enum(publisherProviders),
    'The kind of forge; Forgejo and Gitea count as `github`',
    'github',
  ),
  issuer: describe(
    z
      .url({ protocol: /^https?$/, error: 'Enter an address that begins with https://' })
      .max(300, 'Use at most 300 characters')
      .optional(),
    'Who issues the tokens; default: the service of the provider itself',
    defaultIssuers.github,
  ),
  repository: describe(
    line(300).regex(/^[^\s/]+(\/[^\s/]+)+$/, 'Enter owner/name'),
    'The repository, as owner/name',
    'lea/lantern',
  ),
  branch: describe(ref.min(1, 'Name the branch').nullish(), 'Only jobs of this branch', 'main'),
  tag: describe(
    ref.min(1, 'Name the tag').nullish(),
    'Only jobs of this tag; a final * stands for anything',
    'v*',
  ),
  environment: describe(
    ref.min(1, 'Name the environment').nullish(),
    'Only jobs that run in this environment of the forge',
    'release',
  ),
})

const ofProject = z.object({ id: projectId })
const errors = ['not_found', 'forbidden'] as const

export const trustedPublishers = {
  list: endpoint('GET', '/api/projects/:id/trusted-publishers', {
    summary: 'The repositories whose CI jobs may upload to the project without a stored key',
    access: 'user',
    boundKeys: true,
    input: ofProject,
    reply: z.object({
      publishers: z.array(trustedPublisherSchema),
      /** The audience that a token must name; null: the host has no public address. */
      audience: z.string().nullable(),
    }),
    errors,
  }),
  add: endpoint('POST', '/api/projects/:id/trusted-publishers', {
    summary: 'Trust the CI jobs of a repository, from a branch, a tag or an environment',
    access: 'session',
    asksAgain: 'with_factor',
    input: ofProject.extend(publisherFieldsSchema.shape),
    reply: z.object({ publisher: trustedPublisherSchema }),
    status: 201,
    errors: [...errors, 'too_many_records', 'taken'],
  }),
  remove: endpoint('DELETE', '/api/projects/:id/trusted-publishers/:publisherId', {
    summary: 'Trust a repository no longer; its keys end at once',
    access: 'session',
    input: ofProject.extend({
      publisherId: describe(id, 'The id of the trusted publisher', 'p4Kx9vBn7MwD'),
    }),
    errors,
  }),
  exchange: endpoint('POST', '/api/auth/publisher-key', {
    summary:
      'Exchange the OpenID Connect token of a CI job for a key of 15 minutes that may only ' +
      'upload to one project',
    access: 'anyone',
    input: z.object({
      project: describe(idOrSlug, 'The project, by id or slug', 'lantern'),
      token: describe(
        z
          .string()
          .max(8000, 'Use at most 8000 characters')
          .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'Send the token of the job as it is'),
        'The token; its audience is the address of this host',
        'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2dpdC5leGFtcGxlIn0.c2lnbmF0dXJl',
      ),
    }),
    reply: z.object({ api_key: z.string(), project_id: id, expires_at: time }),
    status: 201,
    errors: ['forbidden', 'busy'],
  }),
}
