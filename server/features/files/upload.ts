import type { Context } from 'koa'
import { boundProject, userIdOf, type Actor } from '../../access/actor'
import type { AppContext } from '../../context'
import { api, MAX_UPLOAD_BYTES } from '../../contract'
import { AppError } from '../../errors'
import { OVERHEAD_BYTES, receiveFile } from '../../http/receive-file'
import { parseInput } from '../../http/serve'
import type { FileRecord } from './file-store'
import { cleanFilename } from './filename'

/**
 * Takes one upload in the order that keeps the promise: reserve quota and disk, stream into a draft, publish the bytes,
 * then the record (and the project link) in one transaction. Whatever fails, nothing is kept.
 */
export async function takeUpload(context: AppContext, ctx: Context, actor: Actor): Promise<FileRecord> {
  const ownerId = userIdOf(actor)
  const reservation = await context.quota.reserve(ownerId, leastFileBytes(ctx))
  const draft = await context.blobs.begin({ onBytes: (bytes) => reservation.cover(bytes) })
  try {
    const { fields, filename } = await receiveFile(ctx, draft, MAX_UPLOAD_BYTES)
    const input = parseInput(api.files.upload.input, fields)
    const target = input.project_id || boundProject(actor)
    const link = target ? context.linkingTo(actor, target) : undefined
    const blob = await draft.publish()
    const name = cleanFilename(filename)
    return await context.files.add(
      {
        ownerId,
        filename: name,
        size: blob.size,
        sha256: blob.sha256,
        blobId: blob.blobId,
        isPublic: input.is_public,
        version: input.version || null,
      },
      (tx, file) => link?.(tx, file.id, { version: input.version, platform: input.platform }),
    )
  } finally {
    reservation.release()
    await draft.discard()
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
