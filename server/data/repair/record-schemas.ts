import { z } from 'zod'
import { scopes, tiers } from '../../contract'
import { warningCodes } from '../../contract/facts'
import { channel, id, releaseStates, releaseVersion, time } from '../../contract/fields'
import type { CollectionName } from '../library/library-data'
import { blobId, bytes, file, filename, mirrored, sha256, text } from './file-schemas'

/** Records must match these before their files are trusted. Unknown fields are allowed: they are not read. */

/** In ms, within the range of Date. */
const moment = z.number().min(0).max(8.64e15)
const web = z.url({ protocol: /^https?$/ })

/** A relative path below a watched folder that never leaves it. */
const nameBelow = z
  .string()
  .min(1)
  .max(4096)
  .refine(
    (name) => !name.includes('\0') && name.split('/').every((part) => !['', '.', '..'].includes(part)),
    'not a name',
  )

const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .max(80)

/** The hash contains its cost: at most 2^20, so that no record can stall the host. */
const passwordHash = z.string().regex(/^\$scrypt\$ln=(1?\d|20),r=([1-9]|1[0-6]),p=\d\$[\w+/=-]+\$[\w+/=-]+$/)

const user = z.object({
  id,
  username: z.string().regex(/^[A-Za-z0-9_-]{1,80}$/),
  email: z.string().max(320),
  tier: z.enum(tiers),
  isHost: z.boolean(),
  disabledAt: time.nullable(),
  createdAt: time,
  passwordHash,
})

const link = z.object({
  id: z.string().regex(/^[\w-]{8,64}\/[\w-]{8,64}$/),
  projectId: id,
  fileId: id,
  version: text.nullable(),
  platform: text.nullable(),
  addedAt: time,
  position: z.number(),
  releaseId: id.nullable(),
})

const release = z.object({
  id,
  projectId: id,
  ownerId: id,
  version: releaseVersion,
  channel,
  notes: text,
  state: z.enum(releaseStates),
  isKept: z.boolean(),
  createdAt: time,
  publishedAt: time.nullable(),
  promotedAt: time.optional(),
  updatedAt: time.optional(),
})

const project = z.object({
  id,
  slug,
  ownerId: id,
  title: text,
  shortDescription: text,
  description: text,
  isPublic: z.boolean(),
  projectUrl: web.nullable(),
  collaboratorIds: z.array(id),
  createdAt: time,
  updatedAt: time,
})

const post = z.object({ id, projectId: id, authorId: id, content: text, createdAt: time, updatedAt: time })

const trashed = { id, ownerId: id, name: text, size: bytes, deletedAt: time }
const trash = z.discriminatedUnion('kind', [
  z.object({
    ...trashed,
    kind: z.literal('file'),
    blobId,
    value: z.object({ file, links: z.array(link), releases: z.array(release) }),
  }),
  z.object({
    ...trashed,
    kind: z.literal('project'),
    blobId: z.null(),
    value: z.object({ project, posts: z.array(post), links: z.array(link), releases: z.array(release) }),
  }),
])

const warning = z.object({ code: z.enum(warningCodes), message: z.string().max(1000) })

const upload = z.object({
  id,
  ownerId: id,
  blobId,
  filename,
  isPublic: z.boolean(),
  projectId: z.string().max(80).nullable(),
  size: bytes.nullable(),
  offset: bytes,
  metadata: text,
  sha256: sha256.nullable(),
  version: text.nullable(),
  platform: text.nullable(),
  fingerprint: text.nullable(),
  createdAt: time,
  expiresAt: time,
  fileId: id.nullable(),
  isLinked: z.boolean(),
  isStrict: z.boolean().optional(),
  warnings: z.array(warning).optional(),
})

const watch = z.object({
  id,
  projectId: id,
  ownerId: id,
  folder: z.string().max(4096),
  pattern: z.string().max(255),
  withBelow: z.boolean(),
  versionFrom: z.enum(['package', 'name']),
  isPublic: z.boolean(),
  isPaused: z.boolean(),
  createdAt: time,
})

const token = { id, tokenHash: z.string().max(128), createdAt: time, expiresAt: time }
const lock = { channel, passwordHash: passwordHash.nullable() }
const tester = z.object({ ...token, ...lock, projectId: id, ownerId: id, name: text })

export const recordSchemas = {
  users: user,
  sessions: z.object({ id, userId: id, createdAt: time, lastSeenAt: time, manage: z.unknown().optional() }),
  apiKeys: z.object({
    id,
    ownerId: id,
    name: text,
    hash: z.string().max(128),
    scopes: z.array(z.enum(scopes)),
    projectId: id.nullable(),
    createdAt: time,
    expiresAt: time.nullable(),
    lastUsedAt: time.nullable(),
    revokedAt: time.nullable(),
  }),
  files: file,
  projects: project,
  posts: post,
  trash,
  links: link,
  releases: release,
  meta: z.object({ id: z.literal('clock'), last: moment, trusted: moment, wait: moment }),
  uploads: upload,
  idempotencyKeys: z.object({
    id: z.string().max(600),
    userId: id,
    fingerprint: text,
    reply: z.looseObject({}),
    createdAt: time,
  }),
  watches: watch,
  watchedFiles: z.object({
    id: z.string().max(5000),
    watchId: id,
    name: nameBelow,
    size: bytes,
    modifiedMs: z.number(),
    outcome: z.enum(['present', 'published', 'known', 'failed']),
    error: text.nullable(),
    at: time,
  }),
  watchedBuilds: z.object({
    id: z.string().regex(/^[\w-]{8,64}\/[0-9a-f]{64}$/),
    projectId: id,
    watchId: id,
    filename,
    version: text.nullable(),
    warnings: z.array(warning).optional(),
    at: time,
  }),
  reservedSlugs: z.object({ slug, ownerId: id, reservedAt: time }),
  invites: z.object({ ...token, tier: z.enum(tiers).nullable(), projectId: id.nullable(), createdBy: id }),
  testers: tester,
  mirrored,
} satisfies Record<CollectionName, z.ZodType>
