import type { Context } from 'koa'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { AppError } from '../../core/errors'
import type { UploadRecord } from '../../data/records/upload-records'
import { requireStillHeld } from '../../http/endpoint/call'
import { continueBody } from '../../http/receive/pump-body'
import { createPacer } from '../../http/transfers/bandwidth'
import type { UploadLock } from './upload-locks'
import type { UploadStore } from './upload-store'

/** Sets the tus headers of an upload. */
export function tellProgress(
  ctx: Context,
  { offset, size, metadata, fileId, expiresAt }: UploadRecord,
): void {
  ctx.set('Upload-Offset', String(offset))
  ctx.set('Upload-Length', String(size))
  if (metadata !== '') ctx.set('Upload-Metadata', metadata)
  if (fileId === null) ctx.set('Upload-Expires', new Date(expiresAt).toUTCString())
}

/** Returns an upload that can be resumed. Throws `gone`. */
export function requireUnexpired(uploads: UploadStore, upload: UploadRecord): UploadRecord {
  if (!uploads.isExpired(upload)) return upload
  throw new AppError('gone', 'This upload has expired: start a new one')
}

/** Receives the body, and finishes the upload after its last byte. */
export async function takeAppend(
  context: Rooms<'accounts' | 'transfers'>,
  ctx: Context,
  actor: Actor,
  upload: UploadRecord,
  lock: UploadLock,
): Promise<UploadRecord> {
  const { resumable, running } = context.transfers
  const length = Number(ctx.get('content-length') || 0)
  if (upload.fileId !== null || upload.offset + length > upload.size) {
    throw new AppError('too_large', 'The upload has more bytes than its Upload-Length')
  }

  const transfer = running.begin(ctx, { direction: 'upload', filename: upload.filename })
  continueBody(ctx)

  const body = {
    body: ctx.req,
    pace: createPacer(transfer),
    requireSender: () => requireStillHeld(ctx),
  }

  return finishUpload(context, ctx, actor, await resumable.append(upload, lock, body))
}

/** Publishes a complete upload and audits it. */
export async function finishUpload(
  { transfers: { resumable }, accounts: { audit } }: Rooms<'accounts' | 'transfers'>,
  ctx: Context,
  actor: Actor,
  upload: UploadRecord,
) {
  requireStillHeld(ctx)
  const finished = await resumable.finishIfComplete(upload, actor)
  const { fileId, filename, isPublic, received, report } = finished

  if (upload.fileId === null && fileId !== null) {
    const sent = received?.request ?? (report && 'report')
    const what =
      sent !== undefined
        ? ({ kind: 'file_receive', detail: sent } as const)
        : ({ kind: 'file_upload', detail: isPublic ? 'public' : 'private' } as const)
    audit.record(ctx, { ...what, subject: filename })
  }
  return finished
}

/** Throws `offset_mismatch` unless the client resumes where the upload ends. */
export function requireOffset({ offset }: UploadRecord, clientOffset: number): void {
  if (clientOffset === offset) return
  throw new AppError(
    'offset_mismatch',
    `The upload is at offset ${offset}, not ${clientOffset}`,
    'Upload-Offset',
    { 'Upload-Offset': String(offset) },
  )
}

/** Parses `Upload-Length` in bytes. Throws `too_large` and, for an empty file, `invalid_input`. */
export function parseSize(
  { files: { quota } }: Rooms<'files'>,
  length: string,
  isUnlimited = false,
): number {
  const size = Number(length)
  if (!isUnlimited) quota.requireSize(size)
  if (size === 0) throw new AppError('invalid_input', 'The file is empty', 'file')
  return size
}
