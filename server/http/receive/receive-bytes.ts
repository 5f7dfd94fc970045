import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Context } from 'koa'
import { AppError } from '../../core/errors'
import { continueBody, pumpBody, type Pace } from './pump-body'

/**
 * Receives the body as the bytes of one file and ends the stream. Throws AppError for forms and
 * compressed bodies.
 */
export async function receiveBytes(ctx: Context, into: Writable, pace: Pace): Promise<void> {
  requirePlainBytes(ctx)
  continueBody(ctx)
  await pumpBody(ctx.req, into, { pace })
  into.end()
  await finished(into)
}

/**
 * Throws `unsupported_media_type` for a form or a compressed body: their bytes are not the file.
 */
function requirePlainBytes(ctx: Context): void {
  if (ctx.is('multipart/*')) {
    throw new AppError(
      'unsupported_media_type',
      'Send the bytes of the file as they are, or the form by POST',
    )
  }
  if (!['', 'identity'].includes(ctx.get('content-encoding'))) {
    throw new AppError('unsupported_media_type', 'Send the file without Content-Encoding')
  }
}
