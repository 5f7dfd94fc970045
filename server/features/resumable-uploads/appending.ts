import type { Context } from 'koa'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { AppError } from '../../core/errors'
import { requireStillHeld } from '../../http/endpoint/call'
import { continueBody } from '../../http/receive/pump-body'
import { createPacer } from '../../http/transfers/bandwidth'
import { uploadPolicy } from './policy'
import type { UploadLock } from './upload-locks'
import type { UploadRecord } from '../../data/records/upload-records'

/** Receives the body, and finishes the upload after its last byte. */
export async function take(
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

  return finish(context, ctx, actor, await resumable.append(upload, lock, body))
}

/** Publishes a complete upload and audits it. */
export async function finish(
  { transfers: { resumable }, accounts: { audit } }: Rooms<'accounts' | 'transfers'>,
  ctx: Context,
  actor: Actor,
  upload: UploadRecord,
) {
  requireStillHeld(ctx)
  const finished = await resumable.finishIfComplete(upload, actor)
  const { fileId, filename, isPublic } = finished

  if (upload.fileId === null && fileId !== null) {
    audit.record(ctx, {
      kind: 'file_upload',
      subject: filename,
      detail: isPublic ? 'public' : 'private',
    })
  }
  return finished
}

/** Returns the actor's upload if it can be resumed. Throws `not_found` and `gone`. */
export function alive(
  { files: { uploads } }: Rooms<'files'>,
  actor: Actor,
  record: UploadRecord | undefined,
): UploadRecord {
  const upload = uploadPolicy.require(actor, 'append', record)
  if (!uploads.isExpired(upload)) return upload
  throw new AppError('gone', 'This upload has expired: start a new one')
}

/** Throws `offset_mismatch` unless the client resumes where the upload ends. */
export function requireOffset({ offset }: UploadRecord, clientOffset: number): void {
  if (clientOffset === offset) return
  throw new AppError(
    'offset_mismatch',
    `The upload is at offset ${offset}, not ${clientOffset}`,
    'Upload-Offset',
    {
      'Upload-Offset': String(offset),
    },
  )
}
