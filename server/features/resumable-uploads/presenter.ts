import type { Context } from 'koa'
import type { UnfinishedUpload } from '../../contract'
import type { UploadRecord } from './upload-store'

/** Presents an upload in replies. */
export function presentUpload(upload: UploadRecord): UnfinishedUpload {
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

/** Sets the tus headers of an upload. */
export function tellUpload(ctx: Context, upload: UploadRecord): void {
  ctx.set('Upload-Offset', String(upload.offset))
  ctx.set('Upload-Length', String(upload.size))
  if (upload.metadata !== '') ctx.set('Upload-Metadata', upload.metadata)
  if (upload.fileId === null) ctx.set('Upload-Expires', new Date(upload.expiresAt).toUTCString())
  else {
    ctx.set('Slipway-File-Id', upload.fileId)
    if (upload.projectId !== null) ctx.set('Slipway-Linked', String(upload.isLinked))
    const codes = upload.warnings?.map(({ code }) => code).join(', ') ?? ''
    if (codes !== '') ctx.set('Slipway-Warnings', codes)
  }
}
