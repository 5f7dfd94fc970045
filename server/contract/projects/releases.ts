import { z } from 'zod'
import { downloadErrors, endpoint } from '../endpoint'
import {
  channel,
  describe,
  downloadInput,
  id,
  line,
  namedDownload,
  page,
  projectId,
  releaseStates,
  releaseVersion,
  rollout,
  text,
  time,
} from '../fields'
import { RELEASE_NOTES_MAX } from '../limits'
import { linkedFileSchema } from './linked-files'

/** A version of a project with its files and notes. */
export const releaseSchema = z.object({
  version: z.string(),
  /** `stable`, `beta`, `nightly` or another name. */
  channel: z.string(),
  /** Visitors see published releases only. */
  state: z.enum(releaseStates),
  /** Markdown. */
  notes: z.string(),
  created_at: time,
  /** First publication, or null. */
  published_at: time.nullable(),
  /** Percentage of apps that update themselves to it, if their updater supports this. */
  rollout: z.int(),
  /**
   * The files that the caller may download, newest first; in replies with several releases the
   * newest 50.
   */
  files: z.array(linkedFileSchema),
  total_files: z.int(),
  /** Reports about this version; null: the caller may not read them. */
  reports: z.object({ total: z.int(), fixed: z.int() }).nullable(),
  can: z.array(z.enum(['read', 'update', 'delete'])),
})
export type Release = z.infer<typeof releaseSchema>

/** The fields of a form. An empty channel: the usual one. */
export const releaseFieldsSchema = z.object({
  version: releaseVersion,
  channel: z
    .string()
    .trim()
    .toLowerCase()
    .refine(
      (name) => name === '' || channel.safeParse(name).success,
      'Use letters, digits and single hyphens',
    ),
  notes: text(RELEASE_NOTES_MAX),
})

const byId = z.object({ id: projectId })
const ofVersion = byId.extend({
  version: describe(line(64), 'The version of the release, such as 1.4.0', '1.4.0'),
})
const oneRelease = z.object({ release: releaseSchema })
const notes = text(RELEASE_NOTES_MAX)
/**
 * `stable` alone (the default), or another channel and `stable`: testers of beta versions also get
 * a newer stable one.
 */
const channelInput = {
  channel: describe(
    channel.optional(),
    'The channel: stable, beta, nightly or another name',
    'stable',
  ),
}
const platform = describe(line(32), 'android, ios, windows, macos, linux or web', 'Android')
const whoSees =
  'Who sees it: members (draft, withdrawn) or everyone who sees the project (published)'
const changeErrors = ['not_found', 'forbidden'] as const

/** A change that can make the files of the release public with it. */
const withFiles = {
  input: ofVersion.extend({
    make_public: describe(
      z.boolean('Use true or false').default(false),
      'Whether to make its private files public, in the same step; only those that you may',
      true,
    ),
  }),
  reply: oneRelease.extend({
    /** The ids of the files that became public. */
    made_public: z.array(id),
  }),
}

const change = {
  access: 'user',
  boundKeys: true,
  input: ofVersion,
  reply: oneRelease,
  errors: changeErrors,
} as const

export const releases = {
  list: endpoint('GET', '/api/projects/:id/releases', {
    summary:
      'Releases of a project, newest version first; members also see drafts and withdrawn ones',
    access: 'anyone',
    heavy: true,
    boundKeys: true,
    input: byId.extend({
      channel: describe(
        channel.optional(),
        'The channel: stable, beta, nightly or another name',
        'stable',
      ),
      since: line(64)
        .optional()
        .meta({ description: 'Only versions above this one', examples: ['1.3.0'] }),
      ...page,
    }),
    reply: z.object({
      releases: z.array(releaseSchema),
      total: z.int(),
      /** Channels of all releases that the caller sees, `stable` first. */
      channels: z.array(z.string()),
      /**
       * Notes of all published versions above `since`, newest first, as one Markdown text. Null
       * without `since`.
       */
      notes: z.string().nullable(),
    }),
    errors: ['not_found'],
  }),
  latest: endpoint('GET', '/api/projects/:id/releases/latest', {
    summary:
      'The newest published release with a file for a platform; another channel than stable ' +
      'includes stable',
    access: 'anyone',
    heavy: true,
    boundKeys: true,
    input: byId.extend({
      platform: describe(
        platform.optional(),
        'android, ios, windows, macos, linux or web',
        'Android',
      ),
      arch: describe(line(32).optional(), 'x64, arm64, arm or x86', 'arm64'),
      ...channelInput,
    }),
    reply: z.object({
      release: releaseSchema,
      /** The best file for platform and architecture, or null if the request names none. */
      file: linkedFileSchema.nullable(),
      /** The path of the file, or of the release's page. */
      url: z.string(),
    }),
    errors: ['not_found'],
  }),
  /** The address of a release named `latest` is the call above. */
  byVersion: endpoint('GET', '/api/projects/:id/releases/:version', {
    summary: 'A release with all its files',
    access: 'anyone',
    boundKeys: true,
    input: ofVersion,
    reply: oneRelease,
    errors: ['not_found'],
  }),
  create: endpoint('POST', '/api/projects/:id/releases', {
    summary: 'Create a release; files with its version join it',
    access: 'user',
    scope: 'upload',
    boundKeys: true,
    input: byId.extend({
      version: describe(releaseVersion, 'The version of the release, such as 1.4.0', '1.4.0'),
      /** Default: `beta` for a pre-release version, else `stable`. */
      channel: describe(
        channel.optional(),
        'The channel: stable, beta, nightly or another name',
        'stable',
      ),
      notes: describe(notes.default(''), 'The release notes, as Markdown', '* A warmer light'),
      state: describe(z.enum(['draft', 'published']).default('published'), whoSees, 'published'),
      rollout,
    }),
    reply: oneRelease,
    status: 201,
    errors: ['not_found', 'forbidden', 'taken', 'too_many_records', 'quota_exceeded'],
  }),
  update: endpoint('PUT', '/api/projects/:id/releases/:version', {
    ...change,
    summary: 'Change a release; fields that are left out keep their value',
    input: ofVersion.extend({
      channel: describe(
        channel.optional(),
        'The channel: stable, beta, nightly or another name',
        'stable',
      ),
      notes: describe(notes.optional(), 'The release notes, as Markdown', '* A warmer light'),
      state: describe(z.enum(releaseStates).optional(), whoSees, 'published'),
      rollout,
    }),
    errors: [...changeErrors, 'quota_exceeded'],
  }),
  remove: endpoint('DELETE', '/api/projects/:id/releases/:version', {
    ...change,
    summary: 'Delete a release that has no files',
    reply: z.object({}),
    errors: [...changeErrors, 'in_use'],
  }),
  promote: endpoint('POST', '/api/projects/:id/releases/:version/promote', {
    ...change,
    summary: 'Move a release to another channel',
    reply: withFiles.reply,
    input: withFiles.input.extend({
      channel: describe(
        channel.default('stable'),
        'The channel: stable, beta, nightly or another name',
        'stable',
      ),
    }),
  }),
  withdraw: endpoint('POST', '/api/projects/:id/releases/:version/withdraw', {
    ...change,
    summary:
      'Take a release off every page, list and link of the project; running downloads of ' +
      'public files finish',
  }),
  publish: endpoint('POST', '/api/projects/:id/releases/:version/publish', {
    ...change,
    summary: 'Publish a draft, or a withdrawn release again',
    ...withFiles,
  }),
  download: endpoint('GET', '/p/:id/releases/:version/:filename', {
    summary: 'Download a file of a release, at an address that ends in its name',
    access: 'anyone',
    boundKeys: true,
    input: ofVersion.extend({
      ...namedDownload,
    }),
    download: true,
    errors: downloadErrors,
  }),
  latestPage: endpoint('GET', '/p/:id/latest', {
    summary: 'Redirect to the page of the newest release',
    access: 'anyone',
    heavy: true,
    boundKeys: true,
    input: byId.extend(channelInput),
    status: 302,
    errors: ['not_found'],
  }),
  latestFile: endpoint('GET', '/p/:id/latest/:platform', {
    summary: 'Redirect to the newest file for a platform: android, ios, windows, macos, linux, web',
    access: 'anyone',
    heavy: true,
    boundKeys: true,
    input: byId.extend({ platform, ...channelInput, ...downloadInput }),
    status: 302,
    errors: ['not_found'],
  }),
  latestFileOfArch: endpoint('GET', '/p/:id/latest/:platform/:arch', {
    summary: 'Redirect to the newest file for a platform and architecture: x64, arm64, arm, x86',
    access: 'anyone',
    heavy: true,
    boundKeys: true,
    input: byId.extend({
      platform,
      arch: describe(line(32), 'x64, arm64, arm or x86', 'arm64'),
      ...channelInput,
      ...downloadInput,
    }),
    status: 302,
    errors: ['not_found'],
  }),
}
