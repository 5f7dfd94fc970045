import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { AppError } from '../../core/errors'

/** A structured string (RFC 8941 §3.3.3); most clients omit the quotes. */
const KEY = /^(?:"([\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x5b\x5d-\x7e]{1,255}))$/

/** An idempotency key and the fingerprint of its request. */
export interface KeyedRequest {
  key: string
  fingerprint: string
}

/**
 * Reads `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header §2.1); undefined without one. Throws
 * `invalid_input`.
 */
export function keyedRequest(ctx: Context): KeyedRequest | undefined {
  const header = ctx.get('idempotency-key').trim()
  if (header === '') return undefined
  const [, quoted, bare] = KEY.exec(header) ?? []
  const key = quoted ?? bare
  if (key === undefined) {
    throw new AppError('invalid_input', 'Send Idempotency-Key as 1 to 255 visible characters', 'Idempotency-Key')
  }
  return { key, fingerprint: fingerprintOf(ctx) }
}

/** The body is not hashed: a retry of a form has another boundary of the same length. */
function fingerprintOf(ctx: Context): string {
  const headers = ['content-length', 'repr-digest', 'x-content-sha256'].map((name) => ctx.get(name))
  const request = [ctx.method, ctx.path, ctx.querystring, ctx.request.type, ...headers]
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url')
}
