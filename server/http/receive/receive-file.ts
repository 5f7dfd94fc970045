import { finished } from 'node:stream/promises'
import type { Context } from 'koa'
import { AppError } from '../../core/errors'
import type { BlobDraft } from '../../data/blobs/blobs'
import { parseBody } from './body-parser'
import { continueBody } from './continue'
import { multipartPlugin } from './multipart-plugin'
import { malformedForm } from './part-header'

const FIELDS_BYTES = 64 * 1024
/** What part headers, boundaries and what follows the last part may add to fields and file, in bytes. */
export const OVERHEAD_BYTES = 256 * 1024

/** The text fields and the one file of an upload. The bytes are in the draft, not yet published. */
export interface Received {
  fields: Record<string, unknown>
  filename: string
}

/**
 * Receives `multipart/form-data` (RFC 7578) with fields in any order; the file streams into `draft`. Throws AppError
 * for anything else. `maxBytes` bounds the file while it streams.
 */
export async function receiveFile(ctx: Context, draft: BlobDraft, maxBytes: number): Promise<Received> {
  if (!ctx.is('multipart/form-data')) {
    throw new AppError('unsupported_media_type', 'Send the file as multipart/form-data')
  }
  continueBody(ctx)
  const parsing = parseBody(ctx, {
    multipart: true,
    json: false,
    urlencoded: false,
    text: false,
    formidable: {
      maxFiles: 1,
      maxFields: 20,
      maxFieldsSize: FIELDS_BYTES,
      maxFileSize: maxBytes,
      maxTotalFileSize: maxBytes,
      allowEmptyFiles: false,
      enabledPlugins: [multipartPlugin(FIELDS_BYTES + OVERHEAD_BYTES)],
      fileWriteStreamHandler: () => draft.stream,
    },
  })
  try {
    // formidable never answers for a request that has ended before it could listen.
    await Promise.all([parsing, finished(ctx.req)])
  } catch (cause) {
    throw translate(cause)
  }
  return readResult(ctx)
}

function readResult(ctx: Context): Received {
  const files = Object.entries(ctx.request.files ?? {})
  const [entry] = files
  if (!entry || entry[0] !== 'file' || Array.isArray(entry[1])) {
    throw new AppError('file_missing', 'Choose a file to upload (the form field is named "file")', 'file')
  }
  return { fields: (ctx.request.body ?? {}) as Record<string, unknown>, filename: entry[1].originalFilename ?? '' }
}

/** formidable's internal error codes as ours; Koa would answer 500 to all of them. */
const byFormidableCode: Partial<Record<number, () => AppError>> = {
  1006: () => new AppError('too_large', 'The form fields are too large'),
  1007: () => new AppError('too_large', 'The form has too many fields'),
  1009: () => new AppError('too_large', 'The file is larger than 2 GB', 'file'),
  1010: () => new AppError('invalid_input', 'The file is empty', 'file'),
  1015: () => new AppError('invalid_input', 'Send one file at a time', 'file'),
  1016: () => new AppError('too_large', 'The file is larger than 2 GB', 'file'),
}

function translate(cause: unknown): unknown {
  if (cause instanceof AppError) return cause
  const { code } = cause as { code?: unknown }
  if (typeof code !== 'number') return cause
  return byFormidableCode[code]?.() ?? malformedForm()
}
