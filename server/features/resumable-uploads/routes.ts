import type Router from '@koa/router'
import type { Context } from 'koa'
import { boundProject, isUser, userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api, uploadMetadataSchema, type UnfinishedUpload } from '../../contract'
import { AppError } from '../../core/errors'
import { digestFields } from '../../http/send/send-file'
import { parseInput, parseUpload, serve, serveRaw } from '../../http/endpoint/serve'
import {
  parseMetadata,
  protocolHeaders,
  requireBytes,
  requireVersion,
  requireWhole,
} from '../../http/receive/tus'
import type { UploadRecord } from '../../data/records/upload-records'
import type { z } from 'zod'
import { definePolicy } from '../../access/policy'
import { requirePreviewFields } from '../uploads/upload'
import {
  finishUpload,
  parseSize,
  requireOffset,
  requireUnexpired,
  takeAppend,
  tellProgress,
} from './tus-calls'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'projects' | 'transfers'>

/** Resumable uploads: the tus protocol, and JSON for the pages. */
export function resumableUploadRoutes(router: Router, context: Deps): void {
  const { uploads } = context.files
  const { resumable } = context.transfers
  const theirs = (actor: Actor, upload: UploadRecord | undefined) => alive(context, actor, upload)

  serveRaw(router, api.uploads.protocol, async (ctx) => {
    ctx.set(protocolHeaders(context.data.settings.get().largest_file))
    ctx.status = 204
  })

  serve(router, api.uploads.create, async ({ actor, ctx }) => {
    requireVersion(ctx, { mayBeAbsent: false })
    requireWhole(ctx)

    const upload = await beginUpload(
      context,
      actor,
      parseInput(api.uploads.create.headers, ctx.headers),
    )

    ctx.set('Location', `/api/uploads/${upload.id}`)
    tellUpload(ctx, upload)
    return { upload: presentUpload(upload) }
  })

  serve(router, api.uploads.list, ({ actor, input }) => {
    const all = uploads
      .unfinishedOf(userIdOf(actor))
      .filter((upload) => uploadPolicy.can(actor, 'read', upload))
    const live = all.filter((upload) => !uploads.isExpired(upload))
    return {
      uploads: live.slice(input.offset, input.offset + input.limit).map(presentUpload),
      total: live.length,
    }
  })

  serve(router, api.uploads.info, async ({ actor, input, ctx }) => {
    const storedUpload = theirs(actor, uploads.find(input.id))

    requireVersion(ctx, { mayBeAbsent: true })
    // HEAD precedes a resume, so take the lock; GET only reads.
    const isAboutToResume = ctx.method === 'HEAD'

    const upload = isAboutToResume
      ? await resumable.during(storedUpload, async (current) =>
          finishUpload(context, ctx, actor, theirs(actor, current)),
        )
      : storedUpload

    tellUpload(ctx, upload)
    return { upload: presentUpload(upload) }
  })

  serveRaw(router, api.uploads.append, async (ctx, { actor }, params) => {
    const { id } = parseInput(api.uploads.append.input, params)
    const storedUpload = theirs(actor, uploads.find(id))
    requireVersion(ctx, { mayBeAbsent: false })
    requireBytes(ctx)

    const headers = parseInput(api.uploads.append.headers, ctx.headers)
    const upload = await resumable.during(storedUpload, async (current, lock) => {
      const before = theirs(actor, current)
      requireOffset(before, Number(headers['upload-offset']))
      return takeAppend(context, ctx, actor, before, lock)
    })

    tellUpload(ctx, upload)
    const file = upload.fileId === null ? undefined : context.files.store.find(upload.fileId)
    ctx.set(digestFields(file?.sha256, 204, ctx.req.headers))
    ctx.status = 204
  })

  // Exclusive, so that an upload that was made private is never published as it was before.
  serve(router, api.uploads.change, async ({ actor, input }) => {
    const storedUpload = theirs(actor, uploads.find(input.id))
    const { is_public: isPublic, project_id, version, platform } = input
    const projectId = resolveProjectId(context, actor, project_id)

    const change = async (current: UploadRecord | undefined) => {
      const upload = requireUnfinished(theirs(actor, current))
      const purpose = { isPublic, projectId, version: version || null, platform: platform || null }
      resumable.payAgain({ ...upload, ...purpose })
      return (await uploads.setPurpose(upload.id, purpose)) ?? upload
    }
    return { upload: presentUpload(await resumable.during(storedUpload, change, { atOnce: true })) }
  })

  serveRaw(router, api.uploads.discard, async (ctx, { actor }, params) => {
    const { id } = parseInput(api.uploads.discard.input, params)

    const upload = uploadPolicy.require(actor, 'delete', uploads.find(id))
    requireVersion(ctx, { mayBeAbsent: true })

    const discard = async (current: UploadRecord | undefined) => {
      if (current) await resumable.discard(current)
    }

    await resumable.during(upload, discard, { atOnce: true })
    ctx.status = 204
  })
}

function requireUnfinished(upload: UploadRecord): UploadRecord {
  if (upload.fileId === null) return upload
  throw new AppError('gone', 'This upload is complete: change its file instead')
}

/** Presents an upload in responses. */
function presentUpload(upload: UploadRecord): UnfinishedUpload {
  return {
    upload_id: upload.id,
    filename: upload.filename,
    size: upload.size,
    offset: upload.offset,
    created_at: upload.createdAt,
    expires_at: upload.expiresAt,
    is_public: upload.isPublic,
    project_id: upload.projectId,
    version: upload.version,
    platform: upload.platform,
    fingerprint: upload.fingerprint,
    file_id: upload.fileId,
    linked: upload.fileId === null || upload.projectId === null ? null : upload.isLinked,
    warnings: [...(upload.warnings ?? [])],
  }
}

/** Sets the headers of an upload. */
function tellUpload(ctx: Context, upload: UploadRecord): void {
  tellProgress(ctx, upload)
  if (upload.fileId === null) return
  ctx.set('Slipway-File-Id', upload.fileId)
  if (upload.projectId !== null) ctx.set('Slipway-Linked', String(upload.isLinked))
  const codes = upload.warnings?.map(({ code }) => code).join(', ') ?? ''
  if (codes !== '') ctx.set('Slipway-Warnings', codes)
}

/** Returns the actor's upload if it can be resumed. Throws `not_found` and `gone`. */
function alive(
  { files: { uploads } }: Rooms<'files'>,
  actor: Actor,
  record: UploadRecord | undefined,
): UploadRecord {
  return requireUnexpired(uploads, uploadPolicy.require(actor, 'append', record))
}

type Headers = z.output<typeof api.uploads.create.headers>

/** Begins an upload after all checks. */
async function beginUpload(
  context: Rooms<'files' | 'projects' | 'transfers'>,
  actor: Actor,
  headers: Headers,
): Promise<UploadRecord> {
  const metadata = headers['upload-metadata']
  const fields = parseUpload(uploadMetadataSchema, parseMetadata(metadata))
  const projectId = resolveProjectId(context, actor, fields.project_id)

  if (fields.for_preview) requirePreviewFields(fields, projectId !== null)
  if (fields.channel && projectId === null)
    throw new AppError('invalid_input', 'Name the project of this channel', 'project_id')

  return context.transfers.resumable.begin({
    ownerId: userIdOf(actor),
    metadata,
    filename: fields.filename,
    isPublic: fields.is_public,
    projectId,
    forPreview: fields.for_preview || undefined,
    version: fields.version || null,
    platform: fields.platform || null,
    channel: fields.channel || undefined,
    isStrict: fields.strict || undefined,
    sha256: fields.sha256?.toLowerCase() ?? null,
    fingerprint: fields.fingerprint ?? null,
    size: parseSize(context, headers['upload-length'], mayBeLarger(fields)),
  })
}

/**
 * Returns the id of the named project, or of the key's project. Throws `not_found` or `forbidden`.
 */
function resolveProjectId(
  { projects: { linkingTo, store: projects } }: Rooms<'projects'>,
  actor: Actor,
  named: string | null | undefined,
): string | null {
  const target = named || boundProject(actor)
  if (!target) return null
  linkingTo(actor, target)
  return projects.find(target)?.id ?? null
}

/** The limit of files holds for those in an export, not for its private zip. */
const mayBeLarger = (fields: z.output<typeof uploadMetadataSchema>) =>
  fields.for_import && !fields.is_public && !fields.project_id && /\.zip$/i.test(fields.filename)

/** Only the sender can access an upload; a project-bound key only uploads to that project. */
const isTheirs = (actor: Actor, { ownerId, projectId, received, report }: UploadRecord) =>
  !received &&
  !report &&
  isUser(actor, ownerId) &&
  (boundProject(actor) === null || boundProject(actor) === projectId)

const uploadPolicy = definePolicy<UploadRecord>()('Upload', {
  read: isTheirs,
  append: isTheirs,
  delete: isTheirs,
})
