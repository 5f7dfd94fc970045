import type { Context, Middleware } from 'koa'
import { AppError } from '../../core/errors'

/** Headers of the tus protocol (https://tus.io/protocols/resumable-upload). */

const VERSION = '1.0.0'
const OFFSET_TYPE = 'application/offset+octet-stream'

/** Reply headers of OPTIONS. `largest`: the largest file, in bytes. */
export const protocolHeaders = (largest: number) => ({
  'Tus-Version': VERSION,
  'Tus-Extension': 'creation,expiration,termination',
  'Tus-Max-Size': String(largest),
})

/** Methods that some clients send as POST with "X-HTTP-Method-Override". */
const OVERRIDES = ['PATCH', 'DELETE']

/**
 * Sets the protocol version on every response, errors included, and the method that the client
 * means.
 */
export const tus: Middleware = (ctx, next) => {
  const method = ctx.get('x-http-method-override').toUpperCase()
  if (ctx.method === 'POST' && OVERRIDES.includes(method)) ctx.method = method
  ctx.set({ 'Tus-Resumable': VERSION, 'Cache-Control': 'no-store' })
  return next()
}

/**
 * Throws `precondition_failed` for another protocol version; clients other than tus may omit it.
 */
export function requireVersion(ctx: Context, { mayBeAbsent }: { mayBeAbsent: boolean }): void {
  const version = ctx.get('tus-resumable')
  if (version === VERSION || (version === '' && mayBeAbsent)) return
  throw new AppError('precondition_failed', `Send Tus-Resumable: ${VERSION}`, 'Tus-Resumable', {
    'Tus-Version': VERSION,
  })
}

/** Throws `unsupported_media_type` unless the body has the content type of tus. */
export function requireBytes(ctx: Context): void {
  if (ctx.request.type === OFFSET_TYPE) return
  throw new AppError('unsupported_media_type', `Send the bytes as ${OFFSET_TYPE}`)
}

/** Throws `invalid_input` for a partial upload: it would become a file of its own. */
export function requireWhole(ctx: Context): void {
  if (ctx.get('upload-concat') === '') return
  throw new AppError(
    'invalid_input',
    'This host does not join parts: send the file as one upload',
    'Upload-Concat',
  )
}

/** Parses `Upload-Metadata`: `key base64,key base64`. Throws `invalid_input`. */
export function parseMetadata(header: string): Record<string, string> {
  const pairs = header
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')

  const entries = pairs.map((pair) => {
    const [key = '', value = '', ...more] = pair.split(' ')
    if (key === '' || more.length > 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
      throw malformedMetadata()
    return [key, decodeText(value)] as const
  })

  if (new Set(entries.map(([key]) => key)).size < entries.length) throw malformedMetadata()
  return Object.fromEntries(entries)
}

function decodeText(base64: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    throw malformedMetadata()
  }
}

const malformedMetadata = () =>
  new AppError(
    'invalid_input',
    'Send Upload-Metadata as pairs of a key and base64 of UTF-8',
    'Upload-Metadata',
  )
