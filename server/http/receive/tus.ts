import type { Context, Middleware } from 'koa'
import { MAX_UPLOAD_BYTES } from '../../contract'
import { AppError } from '../../core/errors'

/** The tus protocol (https://tus.io/protocols/resumable-upload), as far as it is about headers. */

const VERSION = '1.0.0'
const PATH = /^\/api\/uploads(\/|$)/
const OVERRIDABLE = new Set(['PATCH', 'DELETE', 'HEAD'])
const OFFSET_TYPE = 'application/offset+octet-stream'

const EXTENSIONS = [
  ...['creation', 'creation-with-upload', 'creation-defer-length'],
  ...['expiration', 'checksum', 'termination', 'concatenation'],
]

/** What OPTIONS answers. */
export const protocolHeaders = {
  'Tus-Version': VERSION,
  'Tus-Extension': EXTENSIONS.join(','),
  'Tus-Max-Size': String(MAX_UPLOAD_BYTES),
  'Tus-Checksum-Algorithm': 'sha1,sha256',
}

/** Every response names the protocol, refusals too; and where a proxy knows few methods, POST may stand for others. */
export const tus: Middleware = (ctx, next) => {
  if (!PATH.test(ctx.path)) return next()
  ctx.set({ 'Tus-Resumable': VERSION, 'Cache-Control': 'no-store' })
  const method = ctx.get('x-http-method-override').toUpperCase()
  // On the wire it stays a POST, whose response has a body: a HEAD is answered as GET is.
  if (ctx.method === 'POST' && OVERRIDABLE.has(method)) ctx.method = method === 'HEAD' ? 'GET' : method
  return next()
}

/** Throws `precondition_failed` for another version of the protocol; a request that names none may be no tus client’s. */
export function requireVersion(ctx: Context, { mayBeAbsent }: { mayBeAbsent: boolean }): void {
  const version = ctx.get('tus-resumable')
  if (version === VERSION || (version === '' && mayBeAbsent)) return
  throw new AppError('precondition_failed', `Send Tus-Resumable: ${VERSION}`, 'Tus-Resumable', {
    'Tus-Version': VERSION,
  })
}

/** Throws `unsupported_media_type` for a body that is not said to be bytes. */
export function requireBytes(ctx: Context, { mayBeAbsent }: { mayBeAbsent: boolean }): void {
  if (ctx.request.type === OFFSET_TYPE || (mayBeAbsent && !hasBody(ctx))) return
  throw new AppError('unsupported_media_type', `Send the bytes as ${OFFSET_TYPE}`)
}

/** Whether bytes come with the request. */
export const hasBody = (ctx: Context): boolean =>
  ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length') || 0) > 0

/** The pairs of `Upload-Metadata`: `key base64,key base64`. Throws `invalid_input`. */
export function parseMetadata(header: string): Record<string, string> {
  const pairs = header
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
  const entries = pairs.map((pair) => {
    const [key = '', value = '', ...more] = pair.split(' ')
    if (key === '' || more.length > 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) throw malformedMetadata()
    return [key, decoded(value)] as const
  })
  if (new Set(entries.map(([key]) => key)).size < entries.length) throw malformedMetadata()
  return Object.fromEntries(entries)
}

/** What a chunk must have; undefined: nothing is said. Throws `invalid_input`. */
export function parseChecksum(
  header: string | undefined,
): { algorithm: 'sha1' | 'sha256'; digest: Buffer } | undefined {
  if (header === undefined) return undefined
  const [algorithm, value = ''] = header.split(' ')
  const digest = Buffer.from(value, 'base64')
  const length = { sha1: 20, sha256: 32 }[algorithm ?? '']
  if (length === undefined || digest.length !== length) {
    throw new AppError(
      'invalid_input',
      'Write Upload-Checksum as sha1 or sha256, a space, and base64',
      'Upload-Checksum',
    )
  }
  return { algorithm: algorithm as 'sha1' | 'sha256', digest }
}

/**
 * What `Upload-Concat` says: `partial`, or the ids of the uploads that `final;/api/uploads/a /api/uploads/b` joins.
 * Throws `invalid_input`.
 */
export function parseConcat(header: string | undefined): 'partial' | readonly string[] | undefined {
  if (header === undefined || header === 'partial') return header
  const addresses = /^final;\s*(\S.*)$/.exec(header)?.[1]?.trim().split(/\s+/) ?? []
  const ids = addresses.map((address) => /\/api\/uploads\/([A-Za-z0-9_-]{8,64})$/.exec(address)?.[1])
  if (ids.length === 0 || ids.includes(undefined) || new Set(ids).size < ids.length) {
    throw new AppError('invalid_input', 'Write Upload-Concat as partial, or as final; and addresses', 'Upload-Concat')
  }
  return ids as string[]
}

function decoded(base64: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    throw malformedMetadata()
  }
}

const malformedMetadata = () =>
  new AppError('invalid_input', 'Write Upload-Metadata as pairs of a key and base64 of UTF-8', 'Upload-Metadata')
