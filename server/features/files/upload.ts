import type { Context } from 'koa'
import { boundProject, userIdOf, type Actor } from '../../access/actor'
import type { AppContext } from '../../context'
import { api, MAX_UPLOAD_BYTES } from '../../contract'
import { AppError } from '../../errors'
import { OVERHEAD_BYTES, receiveFile } from '../../http/receive-file'
import { parseInput } from '../../http/serve'
import type { BlobDraft } from '../../storage/blobs'
import type { FileRecord } from './file-store'
import { cleanFilename } from './filename'

/**
 * Takes one upload in the order that keeps the promise: reserve quota and disk, stream into a draft, publish the bytes,
 * then the record (and the project link) in one transaction. Whatever fails, nothing is kept.
 */
export async function takeUpload(context: AppContext, ctx: Context, actor: Actor): Promise<FileRecord> {
  const leastBytes = leastFileBytes(ctx)
  const reservation = await context.quota.reserve(userIdOf(actor), leastBytes)
  const onBytes = (bytes: number) => reservation.cover(bytes)
  try {
    const draft = await context.blobs.begin({ onBytes, leastBytes, ownsChunks: true })
    try {
      return await keep(context, ctx, actor, draft)
    } finally {
      await draft.discard()
    }
  } finally {
    reservation.release()
  }
}

async function keep(context: AppContext, ctx: Context, actor: Actor, draft: BlobDraft): Promise<FileRecord> {
  const { blobs, files, linkingTo, sidecars } = context
  const { fields, filename } = await receiveFile(ctx, draft, MAX_UPLOAD_BYTES)
  const { is_public: isPublic, project_id, version, platform } = parseInput(api.files.upload.input, fields)
  const target = project_id || boundProject(actor)
  const link = target ? linkingTo(actor, target) : undefined
  const blob = await draft.publish()
  const file = {
    ...blob,
    ownerId: userIdOf(actor),
    filename: cleanFilename(filename),
    isPublic,
    version: version || null,
  }
  const adding = files.add(file, (tx, added) => link?.(tx, added.id, { version, platform }))
  await Promise.allSettled([adding, sidecars.write(blob.blobId)])
  try {
    return await adding
  } catch (cause) {
    // The project has gone in the last moment. (Of a disk that fails nobody knows what it has kept: the next start looks.)
    if (cause instanceof AppError) await blobs.remove(blob.blobId)
    throw cause
  }
}

/** The least that the file can measure by the declared length. Throws `too_large` and `length_required`. */
function leastFileBytes(ctx: Context): number {
  const declared = ctx.get('content-length')
  if (declared === '') {
    if (ctx.get('transfer-encoding') !== '') return 0
    throw new AppError('length_required', 'Send a Content-Length or a chunked body')
  }
  const least = Math.max(0, Number(declared) - OVERHEAD_BYTES)
  if (least > MAX_UPLOAD_BYTES) throw new AppError('too_large', 'The file is larger than 2 GB', 'file')
  return least
}
