import type { BytePart } from '../../core/byte-source'
import { z } from 'zod'
import { channel, id, releaseStates, releaseVersion, time } from '../../contract/fields'
import { udid } from '../../contract/files/device-list'
import { DEVICES_MAX, SCREENSHOTS_MAX, TOOK_KEPT } from '../../contract/limits'
import { pictureDigest, pictureKinds } from '../../contract/projects/pictures'
import { publisherProviders } from '../../contract/projects/trusted-publishers'
import { accessForm, asked } from './access-records'
import { reportChoices } from './report-records'
import { accessLink, blobId, bytes, sha256, text } from './fields'

const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .max(80)

const pixels = z.int().positive()

/**
 * A picture of a project. Its blob has every size of it, one WebP image after the other, the
 * largest first.
 */
export type PictureRecord = z.infer<typeof pictureRecord>

export const pictureRecord = z.object({
  id: pictureDigest,
  kind: z.enum(pictureKinds),
  alt: text,
  /** `#rrggbb`: the average color. */
  color: z.string().regex(/^#[0-9a-f]{6}$/),
  /** Size of the original, upright. */
  width: pixels,
  height: pixels,
  /** Sizes in the order of the blob; `size` in bytes. */
  sizes: z
    .array(z.object({ width: pixels, height: pixels, size: bytes }))
    .min(1)
    .max(8)
    .readonly(),
  blobId,
  /** Bytes of the blob. */
  size: bytes,
  sha256,
  addedAt: time,
})

/** What clients of a project may still ask for. */
const past = {
  /** The channels whose last public file has left, but `stable`: their feeds still answer. */
  pastChannels: z.array(channel).readonly().optional(),
  /**
   * The names of packages that it no longer has, folded: no feed leads to another registry for
   * them.
   */
  pastNames: z.array(text).readonly().optional(),
}

/** A repository whose CI jobs may upload to the project. */
export type TrustedPublisherRecord = z.infer<typeof trustedPublisherRecord>

const trustedPublisherRecord = z.object({
  id,
  provider: z.enum(publisherProviders),
  issuer: text,
  repository: text,
  /** The forge's id of the repository, from its first token. */
  repositoryId: text.optional(),
  branch: text.nullable(),
  tag: text.nullable(),
  environment: text.nullable(),
  createdAt: time,
  lastUsedAt: time.nullable(),
  /** The tokens that were exchanged and have not ended, by their SHA-256. */
  used: z.array(z.object({ sha256, at: time, until: time })).readonly(),
})

export type ProjectRecord = z.infer<typeof projectRecord>

export const projectRecord = z.object({
  id,
  /**
   * Derived from the first title and kept when the title changes, so that shared links keep
   * working.
   */
  slug,
  ownerId: id,
  title: text,
  shortDescription: text,
  description: text,
  isPublic: z.boolean(),
  projectUrl: z.url({ protocol: /^https?$/ }).nullable(),
  collaboratorIds: z.array(id).readonly(),
  /** Collaborators who may release. Undefined for none. */
  maintainerIds: z.array(id).readonly().optional(),
  /** Number of releases to keep, by channel. Other channels keep all. */
  retention: z
    .array(z.object({ channel, keep: z.int().positive() }))
    .readonly()
    .optional(),
  trustedPublishers: z.array(trustedPublisherRecord).readonly().optional(),
  /** Undefined: testers may report. */
  reports: reportChoices.optional(),
  /** Undefined: nobody can ask for access. */
  accessForm: accessForm.optional(),
  createdAt: time,
  /** Last change of the page itself; `ProjectStore.updatedAt` includes the links. */
  updatedAt: time,
  /** Screenshots in the owner's order; undefined: none. */
  pictures: z
    .array(pictureRecord)
    .max(SCREENSHOTS_MAX + 2)
    .readonly()
    .optional(),
  /** Whether visitors could read it once: the repositories of package managers still answer. */
  wasPublic: z.literal(true).optional(),
  ...past,
})

/** Whether a person owns the project or collaborates on it. */
export const isMember = ({ ownerId, collaboratorIds }: ProjectRecord, userId: string): boolean =>
  ownerId === userId || collaboratorIds.includes(userId)

export const picturesIn = ({ pictures = [] }: ProjectRecord): readonly PictureRecord[] => pictures

/** Returns the byte range of one size of a picture within its blob. */
export function findPart({ sizes }: PictureRecord, width: number): BytePart | undefined {
  const at = sizes.findIndex((it) => it.width === width)
  const offset = sizes.slice(0, Math.max(0, at)).reduce((sum, it) => sum + it.size, 0)
  return sizes[at] && { offset, size: sizes[at].size }
}

/** Bytes on disk of a project's pictures. */
export const pictureBytes = (project: ProjectRecord): number =>
  picturesIn(project).reduce((sum, { size }) => sum + size, 0)

/** Bytes of a release's notes. */
export const notesBytes = ({ notes }: Pick<ReleaseRecord, 'notes'>): number =>
  Buffer.byteLength(notes)

/** Bytes of a post. */
export const contentBytes = ({ content }: PostRecord): number => Buffer.byteLength(content)

/** Bytes of a project's text. */
export const textBytes = ({
  title,
  shortDescription,
  description,
  projectUrl,
}: ProjectRecord): number =>
  Buffer.byteLength(title + shortDescription + description + (projectUrl ?? ''))

/** The slug of a deleted project, kept for its owner because links and update feeds point at it. */
export type ReservedSlug = z.infer<typeof reservedSlug>

export const reservedSlug = z.object({
  slug,
  ownerId: id,
  reservedAt: time,
  /** Of its project; undefined: visitors could never read it. */
  projectId: id.optional(),
  /** `slug` is the SHA-256 of the slug, whose owner was removed permanently. */
  isHashed: z.literal(true).optional(),
  ...past,
})

/** A file that a project offers, addressed by its file id within the project. */
export type LinkRecord = z.infer<typeof linkRecord>

export const linkRecord = z.object({
  /** Derived from project and file (`linkId`), so that a project offers a file once. */
  id: z.string().regex(/^[\w-]{8,64}\/[\w-]{8,64}$/),
  projectId: id,
  fileId: id,
  version: text.nullable(),
  platform: text.nullable(),
  addedAt: time,
  /** Sort key: link time in ms since 1970, increased if the clock stands still. */
  position: z.number(),
  /** The release of its version; null: a file without a version. */
  releaseId: id.nullable(),
  /** The maintainer who added it; undefined: the owner of the project. */
  addedBy: id.optional(),
})

/** A version of a project. The links of its files name it. */
export type ReleaseRecord = z.infer<typeof releaseRecord>

export const releaseRecord = z.object({
  /**
   * Derived from project and version (`releaseId`), so that a project has one release of each
   * version.
   */
  id,
  projectId: id,
  /** The owner of the project: the notes count against their quota. */
  ownerId: id,
  version: releaseVersion,
  channel,
  /** Markdown. */
  notes: text,
  state: z.enum(releaseStates),
  /** A person made or changed it, so it stays when its last file leaves. */
  isKept: z.boolean(),
  createdAt: time,
  /** First publication, or null. */
  publishedAt: time.nullable(),
  /** Time of its move from another channel. Undefined if it never changed channels. */
  promotedAt: time.optional(),
  /** Last change by a person. Undefined if there was none. */
  updatedAt: time.optional(),
  /**
   * Time at which a person restored it or published it again, which exempts it from the channel's
   * limit.
   */
  broughtBackAt: time.optional(),
  /** The percentage of apps that update themselves to it; undefined: all. */
  rollout: z.int().min(1).max(99).optional(),
})

/** An update on a project. */
export type PostRecord = z.infer<typeof postRecord>

export const postRecord = z.object({
  id,
  projectId: id,
  authorId: id,
  content: text,
  createdAt: time,
  updatedAt: time,
})

/**
 * A link for people without an account to the releases of a project on one channel, and on
 * `stable`.
 */
export type TesterRecord = z.infer<typeof testerRecord>

export const testerRecord = accessLink.extend({
  projectId: id,
  channel,
  /** Missing in links from before second factors: then they are the owner's. */
  createdBy: id.optional(),
  /** Of a person whose request was approved. */
  asked: asked.optional(),
  /** iPhones and iPads that sent their identifiers, newest first. */
  devices: z
    .array(z.object({ udid, model: text, at: time, isConfirmed: z.boolean() }))
    .max(DEVICES_MAX)
    .readonly()
    .optional(),
  /** What was downloaded by the link, newest first. Undefined: nothing, or it was removed. */
  took: z
    .array(z.object({ version: text, platform: text.nullable(), at: time }))
    .max(TOOK_KEPT)
    .readonly()
    .optional(),
})

/** A link for people without an account to the builds of a pull request, which are no releases. */
export type PreviewRecord = z.infer<typeof previewRecord>

export const previewRecord = accessLink.extend({
  projectId: id,
  title: text,
  /** The page of the pull request. */
  requestUrl: z.url({ protocol: /^https?$/ }).nullable(),
  /** The number of builds that stay. */
  keep: z.int().positive(),
  /** Newest first. Their numbers rise, and are not used again. */
  builds: z
    .array(
      z.object({
        number: z.int().positive(),
        commit: text.nullable(),
        fileIds: z.array(id).readonly(),
        createdAt: time,
      }),
    )
    .readonly(),
})
