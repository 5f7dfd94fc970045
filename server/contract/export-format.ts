import { z } from 'zod'
import { collaboratorRoles } from './accounts/collaborators'
import {
  channel,
  describe,
  isPublic,
  line,
  releaseStates,
  releaseVersion,
  text,
  time,
} from './fields'
import {
  KEEP_MAX,
  KEPT_CHANNELS_MAX,
  POST_MAX,
  RELEASE_NOTES_MAX,
  REPLY_MAX,
  REPORT_FILES_MAX,
  REPORT_MAX,
  REPORT_REPLIES_MAX,
} from './limits'
import { projectFieldsSchema } from './projects/projects'
import { pictureAltSchema, pictureKinds } from './projects/pictures'
import { reportChoiceFields, reportKinds, reportStates } from './report-schemas'

/** The file of an export that names everything in it. */
export const EXPORT_MANIFEST = 'slipway-export.json'
/** The version of the format. A host imports this version only. */
export const EXPORT_VERSION = 1
/** Limits of what a host imports: bytes of the manifest, and files in the zip. */
export const EXPORT_LIMITS = { manifest: 32 * 1024 * 1024, entries: 100_000 }

const path = describe(
  z.string().min(1).max(1024),
  'The path in the zip, with / between names',
  'projects/lantern/releases/1.4.0/lantern-1.4.0.apk',
)
const bytes = z.int().positive().describe('In bytes')
const digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('SHA-256, in hexadecimal')
const entry = { path, size: bytes, sha256: digest }
const when = (words: string) => time.describe(words)
const { title, short_description, description, project_url } = projectFieldsSchema.shape

const fileSchema = z.object({
  ...entry,
  filename: line(255).min(1).describe('Its name on the host; the one in the zip may have a number'),
  is_public: isPublic,
  version: line(64).nullable().describe('The version given at upload, if any'),
  uploaded_at: when('The time of the upload'),
})
export type ExportedFile = z.infer<typeof fileSchema>

const pictureSchema = z.object({
  path,
  size: bytes,
  kind: z.enum(pictureKinds).describe('What it is for'),
  alt: pictureAltSchema.shape.alt,
  added_at: when('The time at which it was added'),
})

const releaseSchema = z.object({
  version: releaseVersion.describe('Its version'),
  channel: channel.describe('stable, beta, nightly or another name'),
  state: z.enum(releaseStates).describe('Only members see drafts and withdrawn releases'),
  notes: text(RELEASE_NOTES_MAX).describe('Markdown'),
  is_kept: z.boolean().describe('Whether it stays when its last file leaves'),
  rollout: z.int().min(1).max(100).describe('Percentage of apps that update to it'),
  created_at: when('The time of its creation'),
  published_at: time.nullable().describe('First publication, if any'),
  promoted_at: time.nullable().describe('The move from another channel, if any'),
  updated_at: time.nullable().describe('The last change by a person, if any'),
  brought_back_at: time
    .nullable()
    .describe('When a person restored it, which exempts it from the limit of its channel'),
})
export type ExportedRelease = z.infer<typeof releaseSchema>

const downloadSchema = z.object({
  file: path.describe('The path of one of the files'),
  version: line(64).nullable().describe('The version that was entered, if any'),
  platform: line(32).nullable().describe('The platform that was entered, if any'),
  release: releaseVersion.nullable().describe('The version of its release, if any'),
  added_at: when('The time at which it was added'),
})

const postSchema = z.object({
  author: z.string().max(100).describe('The username of its author'),
  content: text(POST_MAX).min(1).describe('Markdown'),
  created_at: when('The time of its creation'),
  updated_at: when('Differs from created_at after an edit'),
})

export type ExportedPost = z.infer<typeof postSchema>

const said = line(200).nullable()

const reportSchema = z.object({
  kind: z.enum(reportKinds).describe('What kind of report it is'),
  text: text(REPORT_MAX).min(1).describe('What happened'),
  from: said.describe('The name that the reporter gave, if any'),
  version: said.describe('The version that it is about, if known'),
  signature: said.describe('What groups crashes, chosen by the app'),
  system: said.describe('The operating system of the reporter'),
  model: said.describe('The model of the device'),
  browser: said.describe('The browser'),
  language: said.describe('A language tag'),
  state: z.enum(reportStates).describe('new, open, fixed or closed'),
  fixed_in: said.describe('The version that fixes it, if known'),
  files: z
    .array(z.object({ ...entry, filename: line(255).min(1).describe('Its name') }))
    .max(REPORT_FILES_MAX)
    .describe('Screenshots and logs'),
  replies: z
    .array(
      z.object({
        author: z.string().max(100).nullable().describe('The username; null: the reporter'),
        text: text(REPLY_MAX).min(1).describe('The answer'),
        created_at: when('The time of the answer'),
      }),
    )
    .max(REPORT_REPLIES_MAX)
    .describe('The answers, oldest first'),
  created_at: when('The time at which it arrived'),
  updated_at: when('The last change'),
})

export type ExportedReport = z.infer<typeof reportSchema>

const projectSchema = z.object({
  slug: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(80)
    .describe('The address of its page, below /p/'),
  title,
  short_description: short_description.unwrap(),
  description: description.unwrap(),
  is_public: isPublic,
  project_url: project_url.nullable(),
  created_at: when('The time of its creation'),
  updated_at: when('The last change of its page'),
  retention: z
    .array(z.object({ channel, keep: z.int().positive().max(KEEP_MAX) }))
    .max(KEPT_CHANNELS_MAX)
    .describe('How many releases each channel keeps; other channels keep all'),
  collaborators: z
    .array(z.object({ username: z.string().max(100), role: z.enum(collaboratorRoles) }))
    .describe('For reading only: an import gives no one access'),
  pictures: z.array(pictureSchema).describe('Icon, cover and screenshots, in their order'),
  releases: z.array(releaseSchema),
  downloads: z.array(downloadSchema).describe('The files that it offers, oldest first'),
  posts: z.array(postSchema).describe('Its news, oldest first'),
  report_settings: z
    .object(reportChoiceFields)
    .optional()
    .describe('Who may report, and how long the files of closed reports stay'),
  reports: z
    .array(reportSchema)
    .default([])
    .describe('What people reported, oldest first; an import ends the pages of the reporters'),
})
export type ExportedProject = z.infer<typeof projectSchema>

/** What `slipway-export.json` contains: everything but the bytes of files and pictures. */
export const exportSchema = z.object({
  format: z.literal('slipway-export'),
  version: z.literal(EXPORT_VERSION).describe('The version of this format'),
  scope: z.enum(['account', 'project']).describe('Whether it is one project or everything'),
  account: z
    .object({
      username: z.string().max(100),
      email: z.string().max(320),
      created_at: when('The time of registration'),
    })
    .nullable()
    .describe('The person; null in the export of a project'),
  projects: z.array(projectSchema),
  files: z.array(fileSchema).describe('Every file, those of projects too, each once'),
  texts: z
    .array(path)
    .describe('The Markdown files: the same texts for reading, which an import ignores'),
})
export type ExportManifest = z.infer<typeof exportSchema>
